import { randomUUID } from 'node:crypto'
import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, expect, it } from 'vitest'
import { runVigia } from '../../test/clients/run-vigia.ts'
import { openBackstage } from '../../test/clouds/backstage.ts'
import { startTestApp } from '../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Loja'))
beforeAll(async () => {
  await backstage.event(await backstage.camera(conta.empresaId))
})

const reconcile = (args: readonly string[] = []) =>
  runVigia(['conciliar-midia', ...args], { VIGIA_DATA_DIR: app.dataDir, ...app.banco })

/** Old files without a record. */
async function stray(many: number): Promise<string[]> {
  const folder = join(app.dataDir, 'cloud/media/eventos/2026/11/22')
  await mkdir(folder, { recursive: true })
  return Array.from({ length: many }, () => {
    const file = join(folder, `${randomUUID()}-crop.jpg`)
    writeFileSync(file, 'x')
    utimesSync(file, 1, 1)
    return file
  })
}

it('deletes old files without a record beside the service, many of them only on request', async () => {
  const [one = ''] = await stray(1)
  expect(await reconcile()).toEqual({
    code: 0,
    output: '3 arquivos, 1 sem registro, 1 apagados, 0 registros sem arquivo.\n',
  })
  expect(existsSync(one)).toBe(false)
  const [first = ''] = await stray(101)
  expect((await reconcile()).output).toContain('Não foram apagados, porque são muitos')
  expect(existsSync(first)).toBe(true)
  expect((await reconcile(['--apagar'])).output).toContain('101 apagados')
  expect(existsSync(first)).toBe(false)
})
