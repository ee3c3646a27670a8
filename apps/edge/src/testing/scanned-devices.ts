import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server } from 'node:net'

/** Devices of a scanned network: [address, port, web page]. Without a page the port only accepts connections. */
type Device = readonly [string, number, { readonly server: string; readonly title: string } | null]

const devices = JSON.parse(process.argv[2] ?? '[]') as readonly Device[]
const connected: string[] = []

const page =
  (server: string, title: string): RequestListener =>
  (_request, response) =>
    void response.setHeader('server', server).end(`<html><head><title>${title}</title></head></html>`)

const listening = devices.map(([address, port, web]) => {
  const server: Server = web ? createServer(page(web.server, web.title)) : createTcpServer((socket) => socket.destroy())
  server.on('connection', (socket) => {
    connected.push(address)
    socket.on('error', () => {})
  })
  return new Promise<void>((resolve) => server.listen(port, address, () => resolve()))
})
await Promise.all(listening)
// Prints the addresses that got a connection.
process.on('SIGUSR2', () => console.log(`connected ${JSON.stringify([...new Set(connected)].sort())}`))
process.send?.({ pronto: true })
