package store

import _ "modernc.org/sqlite"
