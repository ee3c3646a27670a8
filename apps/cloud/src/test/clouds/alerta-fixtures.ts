import { fixture } from '@vigia/testing/fixture'
import { expect } from 'vitest'
import type { Client } from '../clients/client.ts'
import { openBackstage } from './backstage.ts'
import { startTestApp } from './test-app.ts'

/** Two Empresas with one camera each, for tests of the streams of alertas. */
export function alertaFixtures() {
  const app = fixture(startTestApp)
  const backstage = fixture(() => openBackstage(app))
  const conta = fixture(() => app.account('Padaria'))
  const outra = fixture(() => app.account('Farmácia'))
  const camera = fixture(() => backstage.camera(conta.empresaId))
  const foreign = fixture(() => backstage.camera(outra.empresaId))
  const confirmed = async (of = camera): Promise<number> => {
    const id = await backstage.event(of)
    await backstage.verdict(id, 'confirmado')
    return id
  }
  /** The edge of `camera` reports a frame of now. */
  const comesOnline = async (): Promise<void> => {
    const now = app.clock.now()
    await backstage.db
      .updateTable('edges')
      .set({ presente: 1, visto_em: now })
      .where('id', '=', camera.edgeId)
      .execute()
    const report = { relato_estado: 'online', ultimo_frame_em: now, relato_em: now } as const
    await backstage.db.updateTable('cameras').set(report).where('id', '=', camera.cameraId).execute()
  }
  return { app, backstage, conta, outra, camera, foreign, confirmed, comesOnline }
}

/** Each account receives its own alertas on a stream of `listen`, and the operator receives all. */
export async function expectOwnAlertas<R extends { until(tipo: 'alerta', count: number): Promise<unknown> }>(
  { app, conta, outra, camera, foreign, confirmed }: ReturnType<typeof alertaFixtures>,
  listen: (by: Client, query?: string) => Promise<R>,
  ids: (reader: R) => unknown[],
): Promise<void> {
  const [ours, theirs, all] = [
    await listen(conta.usuario, '?todos=true'),
    await listen(outra.usuario, '?todos=true'),
    await listen(app.operator),
  ]
  const a = await confirmed(camera)
  const b = await confirmed(foreign)
  await all.until('alerta', 2)
  await ours.until('alerta', 1)
  await theirs.until('alerta', 1)
  expect(ids(all)).toEqual([a, b])
  expect(new Set(ids(ours))).toEqual(new Set([a]))
  expect(new Set(ids(theirs))).toEqual(new Set([b]))
}
