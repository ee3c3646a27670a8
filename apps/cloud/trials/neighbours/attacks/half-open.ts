import { connect, type Socket } from 'node:net'
import type { Attack } from '../attack.ts'

const HALF_OPEN = 1_500

export const halfOpen: Attack = {
  name: '1,500 half-open connections at the broker',
  async start({ mqttPort }) {
    const state = { ended: false }
    const open = new Set<Socket>()
    const begin = (index: number) => {
      if (state.ended) return
      const localAddress = `127.0.${1 + (index % 5)}.${1 + (index % 50)}`
      const socket = connect({ host: '127.0.0.1', port: mqttPort, localAddress })
      open.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        open.delete(socket)
        setTimeout(begin, 500, index).unref()
      })
    }
    for (let index = 0; index < HALF_OPEN; index += 1) begin(index)
    return {
      stop: async () => {
        state.ended = true
        for (const socket of open) socket.destroy()
      },
    }
  },
}
