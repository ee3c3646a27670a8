import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import type { Route } from '../http/route.ts'
import { ask } from '../test/clients/ask.ts'
import { openBackstage } from '../test/clouds/backstage.ts'
import { startTestApp } from '../test/clouds/test-app.ts'
import { LOOPBACK_ALLOWED, ownRecords } from '../test/records/own-records.ts'
import { bodyOf, fetchDocument, operationOf } from '../test/walks/api-document.ts'

const app = fixture(() => startTestApp(LOOPBACK_ALLOWED))
const backstage = fixture(() => openBackstage(app))
const document = fixture(() => fetchDocument(app))
const records = fixture(async () => ownRecords(backstage, await app.account('Loja')))

/** Answers to examples that cannot succeed here. */
const refused: Readonly<Record<string, number>> = {
  // No edge runs in this test.
  testarConexao: 503,
  descobrirCanais: 503,
  verImagemCanal: 503,
  // Not a camera of an ONVIF device.
  moverCamera: 409,
  // Takes the cookie of the browser that becomes the screen (quiosques.test.ts).
  criarQuiosque: 403,
  // Not the password of this login: a change would end the session of the walk.
  mudarSenha: 422,
  // The same: the walk needs its Empresa.
  removerEmpresa: 422,
}

it('every example of the API reference works with the ids, hosts and names of this account', async () => {
  const problems: string[] = []
  let sent = 0
  for (const route of app.routes) {
    const body = bodyOf(document, route)
    for (const example of body?.examples ?? []) {
      const url = `${app.url}${await records.path(route.path)}`
      const asked = await ask(url, route.method, app.operator.token, body, await records.example(example))
      sent += 1
      if (!expected(route).includes(asked.status))
        problems.push(`${route.operacao}: ${asked.status} ${JSON.stringify(asked.body)} to ${JSON.stringify(example)}`)
    }
  }
  expect(problems).toEqual([])
  expect(sent).toBeGreaterThan(20)
})

function expected(route: Route): number[] {
  const answer = refused[route.operacao]
  if (answer !== undefined) return [answer]
  const statuses = Object.keys(operationOf(document, route).responses).map(Number)
  return statuses.filter((status) => status < 400)
}

it('contains only addresses reserved for examples, and no data of this installation', () => {
  const text = JSON.stringify(document)
  const hosts = [...text.matchAll(/(?:https?|rtsps?):\/\/(?:[^@/"\s]*@)?([a-z0-9{][^/:"\s`…]*)/g)].map(
    ([, host]) => host,
  )
  expect(hosts.filter((host) => !/^(192\.168\.|exemplo\.com\.br|\{host\}|endereco)/.test(host ?? ''))).toEqual([])
  for (const secret of [app.operator.token, app.dataDir, 'senha-do-operador']) expect(text).not.toContain(secret)
})
