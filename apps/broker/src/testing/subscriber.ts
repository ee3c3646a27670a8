import mqtt from 'mqtt'

/** A client in its own process, so that SIGSTOP can simulate a hung machine: its sockets stay open without reads. */
interface Order {
  readonly options: object
  readonly filter: string
}

process.once('message', async ({ options, filter }: Order) => {
  const client = mqtt.connect(options)
  client.on('error', () => {})
  client.on('close', () => process.exit(0))
  client.on('message', (_topic, payload) => process.send?.({ recebida: payload.subarray(0, 20).toString() }))
  await client.subscribeAsync(filter, { qos: 1 })
  process.send?.({ pronto: true })
})
process.on('disconnect', () => process.exit(0))
