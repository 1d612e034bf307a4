// Sends pictures to be read, outside of the connection: they are larger than its messages.
import { engine, link, RpcError } from './net'
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
  try {
    return await link.alone('picture.read', { data: await base64(file) }, signal)
  } catch (e) {
    if (e instanceof RpcError) throw new RpcError(e.code, e.message.replace('picture.read: data: ', ''))
    throw new Error(engine ? 'The picture could not be read: try again.' : 'The server could not be reached: try again.')
  }
}
