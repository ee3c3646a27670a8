import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MAX_PACKET_BYTES } from './limits.ts'
import { CERTIFICATES_TOPIC, type TopicName, topicNames } from './topics.ts'

/**
 * This test reads the files for EMQX but does not run EMQX. Its rules must name each topic for writer and reader, and
 * deny all others.
 */
const rules = readFileSync(new URL('../../../deploy/emqx/acl.conf', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('{'))
const edgeWrites: readonly TopicName[] = [
  ...(['candidatos', 'extras', 'relato', 'presenca', 'respostas', 'renovacao', 'aovivo'] as const),
]

/** Returns the topic names that rules of this kind allow, without the prefix of the edge. */
function allowed(who: string, action: string, branch: string): string[] {
  const topic = new RegExp(`"vigia/v1/edges/${branch}/([a-z]+)"`, 'g')
  const names = rules
    .filter((rule) => rule.startsWith(`{allow, ${who}, ${action}`) || rule.startsWith(`{allow, ${who}, {${action}`))
    .flatMap((rule) => [...rule.matchAll(topic)].map((match) => match[1] ?? ''))
  return [...new Set(names)].sort()
}
const cloudWrites = topicNames.filter((name) => !edgeWrites.includes(name)).sort()
/** The cloud empties the presence of a removed edge. */
const cloudMayWrite = [...cloudWrites, 'presenca'].sort()

it('the rules for EMQX name every topic for its writer and its reader', () => {
  const [anyEdge, own] = ['\\+', '\\$\\{username\\}']
  expect(allowed('{username, "cloud"}', 'publish', anyEdge)).toEqual(cloudMayWrite)
  expect(allowed('{username, "cloud"}', 'subscribe', anyEdge)).toEqual([...edgeWrites].sort())
  expect(allowed('all', 'publish', own)).toEqual([...edgeWrites].sort())
  expect(allowed('all', 'subscribe', own)).toEqual(cloudWrites)
  expect(rules.filter((rule) => rule.includes(CERTIFICATES_TOPIC))).toEqual([rules[0]])
  expect(rules.at(-1)).toBe('{deny, all}.')
})

it('the rules for EMQX let a replica subscribe to the topics of single edges', () => {
  const exact = rules.filter((rule) => rule.startsWith('{allow, {username, "cloud"}, subscribe') && !/\{eq,/.test(rule))
  const named = exact.flatMap((rule) => [...rule.matchAll(/edges\/\+\/([a-z]+)/g)].map(([, name]) => name))
  const perEdge = edgeWrites.filter((name) => !['presenca', 'respostas'].includes(name))
  expect(named.sort()).toEqual([...perEdge].sort())
})

it('the settings for EMQX keep the client id of replicas on the internal listener only', () => {
  const settings = readFileSync(new URL('../../../deploy/emqx/vigia.hocon', import.meta.url), 'utf8')
  expect(settings).toMatch(/^ {2}peer_cert_as_clientid = cn$/m)
  expect(settings).toMatch(/^listeners\.ssl\.interno \{\n {2}bind = "127\.0\.0\.1:8884"\n {2}zone = interno$/m)
  expect(settings).toMatch(/^zones\.interno\.mqtt\.peer_cert_as_clientid = disabled$/m)
})

it('the settings for EMQX allow the largest packet of the link', () => {
  const settings = readFileSync(new URL('../../../deploy/emqx/vigia.hocon', import.meta.url), 'utf8')
  // EMQX counts a MB as 1024 * 1024 bytes.
  const [, megabytes] = /max_packet_size = "(\d+)MB"/.exec(settings) ?? []
  expect(Number(megabytes) * 1024 * 1024).toBe(MAX_PACKET_BYTES)
})
