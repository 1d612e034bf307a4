// Sends pictures to be read, over HTTP: they are larger than a message of the WebSocket.
import { RpcError } from './net'
import { maxPictureBytes, type PictureBoard } from './types'

function base64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const r = new FileReader()
    r.onload = () => resolve(String(r.result).replace(/^[^,]*,/, ''))
    r.onerror = () => reject(new Error('the file cannot be read'))
    r.readAsDataURL(file)
  })
}

/** readPicture returns the board of a screenshot. */
export async function readPicture(file: Blob, signal: AbortSignal): Promise<PictureBoard> {
  if (file.size > maxPictureBytes) throw new Error('The file is too large: want at most 20 MB.')
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'picture.read', params: { data: await base64(file) } })
  let answer: { result?: PictureBoard; error?: { code: number; message: string } }
  try {
    const response = await fetch('/api/picture', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, signal })
    answer = await response.json()
  } catch {
    throw new Error('The server could not be reached: try again.')
  }
  if (!answer.result) throw new RpcError(answer.error?.code ?? 0, (answer.error?.message ?? 'no answer').replace('picture.read: data: ', ''))
  return answer.result
}
