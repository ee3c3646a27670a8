import { until } from '@vigia/link/testing/installation'
import { everyEdge, topics } from '@vigia/link/topics'
import { expect, it } from 'vitest'
import { createBrokerBench, heard } from './testing/broker-client.ts'

it('one that sends a flood of small packets is read more slowly; nothing of it is lost, and nobody waits for it', async () => {
  const bench = await createBrokerBench({ packetsPerS: { edge: 500, cloud: 100_000 } })
  const cloud = await bench.connect('cloud')
  await cloud.subscribeAsync(everyEdge.respostas, { qos: 1 })
  const messages = heard(cloud)
  const from = (edgeId: number) => messages.filter((message) => message.startsWith(topics(edgeId).respostas)).length
  const flooding = await bench.connect('edge-8')
  const other = await bench.connect('edge-9')

  const began = performance.now()
  for (let i = 0; i < 2_500; i += 1) flooding.publish(topics(8).respostas, String(i), { qos: 0 })
  await until('the burst', () => from(8) >= 400)
  await other.publishAsync(topics(9).respostas, 'now', { qos: 1 })
  await until('the other one', () => from(9) === 1)
  expect(from(8)).toBeLessThan(2_500)
  await until('all of the flood', () => from(8) === 2_500)
  // A thousand at once, and the others at 500 a second; what is read at once (64 kB) is taken whole.
  expect(performance.now() - began).toBeGreaterThan(1_500)
  await bench.close()
})

it('one that sends more bytes than its rate is read more slowly, and nothing of it is lost', async () => {
  const bench = await createBrokerBench({ bytesPerS: { edge: 200_000, cloud: Number.POSITIVE_INFINITY } })
  const cloud = await bench.connect('cloud')
  await cloud.subscribeAsync(everyEdge.candidatos, { qos: 1 })
  const messages = heard(cloud)
  const from = (edgeId: number) => messages.filter((message) => message.startsWith(topics(edgeId).candidatos)).length
  const flooding = await bench.connect('edge-8')
  const other = await bench.connect('edge-9')
  const began = performance.now()
  // Two seconds' worth may come at once, the other 400 kB need two seconds more; what is read at once (64 kB) is taken whole.
  for (let i = 0; i < 20; i += 1) flooding.publish(topics(8).candidatos, Buffer.alloc(40_000), { qos: 1 })
  await other.publishAsync(topics(9).candidatos, 'now', { qos: 1 })
  await until('the other one', () => from(9) === 1)
  expect(from(8)).toBeLessThan(20)
  await until('all of the flood', () => from(8) === 20)
  expect(performance.now() - began).toBeGreaterThan(1_500)
  await bench.close()
})
