export function offer(name: string, kind: string, file: BlobPart) {
  const a = document.createElement('a')
  a.href = URL.createObjectURL(new Blob([file], { type: kind }))
  a.download = name
  a.click()
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000)
}
