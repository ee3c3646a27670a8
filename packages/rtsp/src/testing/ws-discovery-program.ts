import { createSocket } from 'node:dgram'
import { discoverOnvif } from '../scan/ws-discovery.ts'

/**
 * Devices and a search in one network namespace, whose only interface has all addresses. Prints the search as JSON.
 * Arguments: the address of the search, of a device, and of a device outside of the searched network.
 */
const [own = '', inside = '', outside = ''] = process.argv.slice(2)
const GROUP = '239.255.255.250'

/** A device that answers a Probe from its own address. */
async function startDevice(address: string, port: number, name: string) {
  const heard = createSocket({ type: 'udp4', reuseAddr: true })
  const answers = createSocket('udp4')
  await new Promise<void>((resolve) => answers.bind(0, address, resolve))
  heard.on('message', (message, from) => {
    const id = /<w:MessageID>([^<]+)</.exec(message.toString())?.[1]
    if (id === undefined || !message.includes('NetworkVideoTransmitter')) return
    const body =
      '<s:Envelope xmlns:s="s" xmlns:d="d" xmlns:w="w"><s:Header>' +
      `<w:RelatesTo>${id}</w:RelatesTo></s:Header><s:Body><d:ProbeMatches><d:ProbeMatch>` +
      `<d:Scopes>onvif://www.onvif.org/name/${name}</d:Scopes>` +
      `<d:XAddrs>http://${address}:${port}/onvif/device_service</d:XAddrs>` +
      '</d:ProbeMatch></d:ProbeMatches></s:Body></s:Envelope>'
    answers.send(body, from.port, from.address)
  })
  await new Promise<void>((resolve) => heard.bind(3702, resolve))
  heard.addMembership(GROUP, address)
  return () => {
    heard.close()
    answers.close()
  }
}

const stops = [await startDevice(inside, 8899, 'Portaria'), await startDevice(outside, 80, 'Alheia')]
const { signal } = new AbortController()
const found = await discoverOnvif({ own, addresses: [own, inside] }, { waitMs: 2_000, signal })
for (const stop of stops) stop()
process.stdout.write(JSON.stringify(found))
