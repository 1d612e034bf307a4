// Sends pictures to be read. It does not use the connection, whose messages are too small for pictures.
import { t } from '../base/text'
import { maxPictureBytes, type PictureBoard, type ReadPicture } from '../types'
import { engine, link, RpcError } from './net'

export const base64 = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const r = new FileReader()
    r.onload = () => resolve(String(r.result).replace(/^[^,]*,/, ''))
    r.onerror = () => reject(new Error(t('the file cannot be read')))
    r.readAsDataURL(file)
  })

/** raw returns a picture in the form that a site's engine reads, since the engine has no decoders: width, height
    and RGB of 8 bits (package picture, decode_js.go). It reduces pictures that are larger than the engine needs. */
async function raw(picture: Blob | HTMLCanvasElement): Promise<Blob> {
  const maxPixels = 3_200_000
  const image =
    picture instanceof Blob
      ? await createImageBitmap(picture).catch(() => {
          throw new RpcError(0, t('not a readable picture: must be a PNG, JPEG or WebP file'))
        })
      : picture
  const scale = 1 / Math.max(1, Math.ceil(Math.sqrt((image.width * image.height) / maxPixels)))
  const [w, h] = [Math.max(1, Math.floor(image.width * scale)), Math.max(1, Math.floor(image.height * scale))]
  const context = canvas(w, h)
  context.fillStyle = '#fff' // transparent pixels become white
  context.fillRect(0, 0, w, h)
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, w, h)
  if (image instanceof ImageBitmap) image.close()
  const { data } = context.getImageData(0, 0, w, h)
  const out = new Uint8Array(12 + 3 * w * h)
  out.set(new TextEncoder().encode('RGB\n'))
  new DataView(out.buffer).setUint32(4, w, true)
  new DataView(out.buffer).setUint32(8, h, true)
  for (let i = 0, to = 12; i < data.length; i += 4) {
    out[to++] = data[i] ?? 0
    out[to++] = data[i + 1] ?? 0
    out[to++] = data[i + 2] ?? 0
  }
  return new Blob([out])
}

/** canvas returns the context of a canvas that is not part of the page, for drawing and for reading pixels. */
export function canvas(width: number, height: number): CanvasRenderingContext2D {
  const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d', {
    alpha: false,
    willReadFrequently: true,
  })
  if (!context) throw new Error('no canvas')
  return context
}

/** file returns a picture in the form that a server reads. */
const file = (picture: Blob | HTMLCanvasElement): Promise<Blob> | Blob =>
  picture instanceof Blob
    ? picture
    : new Promise((done, failed) => picture.toBlob((b) => (b ? done(b) : failed(new Error('no picture')))))

/** NoBoard is the error for a picture in which no board was found. */
export class NoBoard extends Error {}

/** readPicture returns the board in a screenshot: the board that is found or, if a size and a frame are given,
    the board in the frame. */
export async function readPicture(
  picture: Blob | HTMLCanvasElement,
  signal: AbortSignal,
  at: Omit<ReadPicture, 'data'> = {},
): Promise<PictureBoard> {
  if (picture instanceof Blob && picture.size > maxPictureBytes)
    throw new Error(t('The file is too large: at most 20 MB.'))
  try {
    return await link.alone(
      'picture.read',
      { ...at, data: await base64(await (engine ? raw : file)(picture)) },
      signal,
    )
  } catch (e) {
    if (e instanceof RpcError && e.message.includes('no board found')) throw new NoBoard()
    if (e instanceof RpcError) throw new RpcError(e.code, e.message.replace('picture.read: data: ', ''))
    throw new Error(
      engine
        ? t('The picture could not be read: try again.')
        : t('The server could not be reached: try again.'),
    )
  }
}
