import { constants } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'

/**
 * One `npm start` per data folder: the holder listens on a socket file in it. A socket file of a killed process accepts
 * no connection and is replaced; unlike a pid file it cannot match another process. Null: another process holds the
 * lock.
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): Promise<void> } | null> {
  // A socket's address is limited to 107 bytes (unix(7)). A folder's path may be longer, so its descriptor is used.
  const folder = await open(dataDir, constants.O_RDONLY | constants.O_DIRECTORY)
  const path = `/proc/self/fd/${folder.fd}/em-uso.sock`
  if (await answers(path)) {
    await folder.close()
    return null
  }
  await rm(path, { force: true })
  const server = createServer((socket) => socket.end())
  await listen(server, path)
  server.unref()
  return {
    async release() {
      await new Promise((resolve) => server.close(resolve))
      await folder.close()
    },
  }
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
