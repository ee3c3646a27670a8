import { RATES } from '@vigia/link/limits'
import { until } from '@vigia/link/testing/installation'
import { everyEdge, topics } from '@vigia/link/topics'
import { expect, it } from 'vitest'
import { createBrokerBench, heard } from './testing/broker-client.ts'

it('a client that floods small packets is read more slowly, without loss and without delay for others', async () => {
  const bench = await createBrokerBench({
    rates: { ...RATES, packets: { edge: 500, empresa: 1_000, root: 1_500 } },
  })
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
  // A burst of a thousand, then 500 a second; one read of 64 kB is processed whole.
  expect(performance.now() - began).toBeGreaterThan(1_500)
  await bench.close()
})

it('a client that sends more bytes than its rate is read more slowly, without loss', async () => {
  const bench = await createBrokerBench({
    rates: { ...RATES, bytes: { edge: 200_000, empresa: 400_000, root: 600_000 } },
  })
  const cloud = await bench.connect('cloud')
  await cloud.subscribeAsync(everyEdge.candidatos, { qos: 1 })
  const messages = heard(cloud)
  const from = (edgeId: number) => messages.filter((message) => message.startsWith(topics(edgeId).candidatos)).length
  const flooding = await bench.connect('edge-8')
  const other = await bench.connect('edge-9')
  const began = performance.now()
  // The burst covers two seconds, the other 400 kB need two seconds more; one read of 64 kB is processed whole.
  for (let i = 0; i < 20; i += 1) flooding.publish(topics(8).candidatos, Buffer.alloc(40_000), { qos: 1 })
  await other.publishAsync(topics(9).candidatos, 'now', { qos: 1 })
  await until('the other one', () => from(9) === 1)
  expect(from(8)).toBeLessThan(20)
  await until('all of the flood', () => from(8) === 20)
  expect(performance.now() - began).toBeGreaterThan(1_500)
  await bench.close()
})
