import { expect, it } from 'vitest'
import { serverAddress } from './server-address.ts'

const addressOf = (url: string) => serverAddress(new URL(url))

it.each([
  ['mqtt', 'mqtt://Casa.exemplo.:1883/tópico', 'mqtt://casa.exemplo'],
  ['mqtts', 'MQTTS://casa.exemplo:8883', 'mqtts://casa.exemplo/'],
  ['https', 'https://CASA.exemplo:443', 'https://casa.exemplo./caminho'],
  ['rtsp', 'rtsp://ana:senha@012.0.0.011', 'rtsp://10.0.0.9:554/a'],
])('is the same for each spelling of a URL: %s', (_, one, other) => {
  expect(addressOf(one)).toEqual(addressOf(other))
  expect(addressOf(one).usesDefaultPort).toBe(true)
})

it('differs by port', () => {
  expect(addressOf('mqtt://casa.exemplo:1884')).toEqual({ host: 'casa.exemplo', port: '1884', usesDefaultPort: false })
})
