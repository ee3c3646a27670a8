import mqtt from 'mqtt'

/** A client in a process of its own, so that a signal can freeze it as a hung machine would be: its sockets stay open and nobody reads. */
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
