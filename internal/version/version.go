// Package version has the version of the program, which all its faces report.
package version

// Version is the program's version.
const Version = "0.1.0"
