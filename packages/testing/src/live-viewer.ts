import { waitFor } from './wait.ts'

/** A viewer of live video over WebSocket. */
export interface LiveViewer {
  /** The texts, parsed. */
  readonly texts: readonly { readonly tipo: string; readonly [field: string]: unknown }[]
  /** The header of the newest `inicio`, and the parts behind it. */
  readonly header: Buffer | null
  readonly parts: readonly Buffer[]
  /** Close code. */
  readonly closed: Promise<number>
  /** Waits until `count` parts have arrived behind the newest header. */
  until(count: number): Promise<void>
  close(): void
}

/** Opens `/api/v1/cameras/{id}/transmissao`. `base`: `http:` address of the cloud. */
export function openLiveViewer(base: string, token: string, camera: number, query = ''): LiveViewer {
  const address = `${base.replace(/^http/, 'ws')}/api/v1/cameras/${camera}/transmissao${query}`
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } } as never)
  socket.binaryType = 'arraybuffer'
  const texts: LiveViewer['texts'][number][] = []
  let header: Buffer | null = null
  let isHeaderNext = false
  let parts: Buffer[] = []
  socket.onmessage = ({ data }: { readonly data: string | ArrayBuffer }) => {
    if (typeof data === 'string') {
      const text = JSON.parse(data)
      texts.push(text)
      isHeaderNext = text.tipo === 'inicio'
      return
    }
    const bytes = Buffer.from(data)
    if (isHeaderNext) {
      header = bytes
      parts = []
    } else parts.push(bytes)
    isHeaderNext = false
  }
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code }) => resolve(code)
  })
  return {
    texts,
    get header() {
      return header
    },
    get parts() {
      return parts
    },
    closed,
    async until(count) {
      await waitFor(`${count} parts of live video`, () => parts.length >= count, { everyMs: 20 })
    },
    close: () => socket.close(),
  }
}
