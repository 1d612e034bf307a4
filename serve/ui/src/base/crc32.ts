// The checksum of backups and links.

export function crc32(text: string): string {
  let crc = -1
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let i = 0; i < 8; i++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (~crc >>> 0).toString(16).padStart(8, '0')
}
