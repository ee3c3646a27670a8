import { expect, it } from 'vitest'
import { judgeRedirection } from './redirect.ts'
import { readRtspUrl } from './rtsp-url.ts'

const ASKED = 'rtsp://admin:segredo@10.0.0.9:554/cam?channel=1'
const judge = (location: string | undefined, { status = 302, url = ASKED, connected = '10.0.0.9' } = {}) =>
  judgeRedirection(status, location, readRtspUrl(url), connected)

it.each([
  ['another path', 'rtsp://10.0.0.9:554/outro', 'rtsp://10.0.0.9:554/outro', 554],
  ['another port', 'rtsp://10.0.0.9:8554/', 'rtsp://10.0.0.9:8554/', 8554],
  ['the standard port', 'rtsp://10.0.0.9', 'rtsp://10.0.0.9/', 554],
  ['upper case', 'RTSP://10.0.0.9/x', 'rtsp://10.0.0.9/x', 554],
  ['another spelling of the address', 'rtsp://0x0a000009/x', 'rtsp://0x0a000009/x', 554],
  ['the address inside IPv6', 'rtsp://[::ffff:10.0.0.9]/x', 'rtsp://[::ffff:10.0.0.9]/x', 554],
  ['a path alone', '/outro?x=1', 'rtsp://10.0.0.9:554/outro?x=1', 554],
  ['TLS', 'rtsps://10.0.0.9/x', 'rtsps://10.0.0.9/x', 322],
])('follows the same device: %s', async (_name, location, uri, porta) => {
  const found = await judge(location)
  expect(found?.target).toMatchObject({ uri, porta, credentials: { usuario: 'admin', senha: 'segredo' } })
})

it('follows a name that is the address of the connection, and no login in the new address', async () => {
  const url = 'rtsp://a:b@localhost:554/x'
  const options = { url, connected: '127.0.0.1' }
  for (const location of ['rtsp://x:y@LOCALHOST:1/z', 'rtsp://x:y@127.0.0.1:1/z'])
    expect((await judge(location, options))?.target?.credentials).toEqual({ usuario: 'a', senha: 'b' })
  expect((await judge('rtsp://localhost:1/z', { connected: '127.0.0.1' }))?.target).toMatchObject({ porta: 1 })
  expect((await judge('rtsp://localhost:1/z'))?.target).toBeNull()
})

it.each([301, 302, 303, 305, 307, 308])('follows %i', async (status) => {
  const uri = status === 305 ? 'rtsp://10.0.0.9:554/cam?channel=1' : 'rtsp://10.0.0.9:8554/x'
  expect((await judge('rtsp://10.0.0.9:8554/x', { status }))?.target).toMatchObject({ uri, porta: 8554 })
})

it.each([
  ['rtsp://10.0.0.10/x', 'rtsp://10.0.0.10:554'],
  ['rtsp://admin:segredo@169.254.169.254:80/user=a&password=b', 'rtsp://169.254.169.254:80'],
  ['rtsps://[fd00::1]:1/x', 'rtsps://[fd00::1]:1'],
  ['rtsp://camera.invalid/x', 'rtsp://camera.invalid:554'],
  [`rtsp://${'a.'.repeat(100)}invalid/x`, `rtsp://${'a.'.repeat(25)}:554`],
])('names another device, and does not follow it: %s', async (location, address) => {
  expect(await judge(location)).toEqual({ target: null, address })
})

it('does not leave TLS', async () => {
  const url = 'rtsps://10.0.0.9/x'
  expect(await judge('rtsp://10.0.0.9/x', { url })).toEqual({ target: null, address: 'rtsp://10.0.0.9:554' })
  expect(await judge('/outro', { url })).toMatchObject({ target: { tls: true, porta: 322 } })
})

it.each([undefined, '', 'http://10.0.0.9/', 'rtsp:///x', 'rtsp://10.0.0.9:0/', 'rtsp://10.0.0.9:70000/', 'x y'])(
  'ignores %j',
  async (location) => {
    expect(await judge(location)).toBeNull()
  },
)

it.each([200, 300, 304, 404])('ignores the address of a %i', async (status) => {
  expect(await judge('rtsp://10.0.0.9/x', { status })).toBeNull()
})
