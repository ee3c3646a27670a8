import net from 'node:net'

/**
 * A TCP proxy in front of the broker on `port` that can go silent, disconnect, and limit the rate towards the broker.
 */
export async function createProxy(port: number) {
  const sockets = new Set<net.Socket>()
  const state = { answers: true, requests: true, bytesPerSecond: Number.POSITIVE_INFINITY }
  const server = net.createServer((client) => {
    const upstream = net.connect(port, '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    upstream.on('data', (chunk) => state.answers && client.write(chunk))
    client.on('data', (chunk) => {
      if (!state.requests) return
      upstream.write(chunk)
      if (state.bytesPerSecond === Number.POSITIVE_INFINITY) return
      client.pause()
      setTimeout(() => client.resume(), (chunk.length / state.bytesPerSecond) * 1000)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port: ownPort } = server.address() as net.AddressInfo
  return Object.assign(state, {
    url: `mqtts://127.0.0.1:${ownPort}`,
    open: () => sockets.size,
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  })
}
