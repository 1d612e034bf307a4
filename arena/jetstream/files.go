package jetstream

import "context"

// PutFile stores a file under the SHA-256 of its contents, unless it is there, and returns that in
// hexadecimal.
func (c *Client) PutFile(ctx context.Context, path string) (sum string, err error) { return "", nil }

// GetFile returns the path of the file with this SHA-256 in a folder, and downloads it unless it is
// there. Downloaded contents with another hash are an error with both hashes.
func (c *Client) GetFile(ctx context.Context, sum, folder string) (path string, err error) {
	return "", nil
}
