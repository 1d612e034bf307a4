package jetstream

import "context"

// Prepare creates the streams that do not exist, and keeps room in them until Close, as OpenQueue does, so that
// workers can announce themselves before the first experiment begins.
func (c *Client) Prepare(ctx context.Context) error {
	_, err := c.streams(ctx)
	return err
}
