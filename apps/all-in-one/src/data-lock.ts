import { rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'

/**
 * One `npm start` per data folder: the holder listens on a socket file in it. A file left by a killed process answers
 * nobody and is taken over; unlike a pid file it cannot be mistaken for another process.
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): Promise<void> } | null> {
  const path = join(dataDir, 'em-uso.sock')
  if (await answers(path)) return null
  await rm(path, { force: true })
  const server = createServer((socket) => socket.end())
  await listen(server, path)
  server.unref()
  return { release: () => new Promise((resolve) => server.close(() => resolve())) }
}

const answers = (path: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

const listen = (server: Server, path: string) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => resolve())
  })
