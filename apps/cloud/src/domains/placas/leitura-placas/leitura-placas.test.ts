import type { Metricas } from '@vigia/contracts/eventos'
import type { LeituraPlacas } from '@vigia/contracts/leitura-placas'
import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const own = fixture(() => app.account('Padaria'))

const pathOf = (cameraId: number) => `/api/v1/cameras/${cameraId}/leitura-placas`

it('shows the figures of the newest passages of a camera, and what to change', async () => {
  const { cameraId, ...seeded } = await backstage.camera(own.empresaId)
  const read = () => own.admin.expect<LeituraPlacas>(200, 'GET', pathOf(cameraId))
  expect(await read()).toMatchObject({ passagens: 0, largura_px: null, conselhos: ['sem_passagens'] })
  const qualidade = { largura_px: 64, borrao_px: 2, angulo_graus: 2 }
  for (const placa of [undefined, null])
    await backstage.passagem({ cameraId, ...seeded }, { qualidade, ...(placa === null && { placa }) })
  expect(await read()).toEqual({ passagens: 2, com_placa: 1, ...qualidade, conselhos: ['aproximar'] })
  const metricas = await own.usuario.expect<Metricas>(200, 'GET', `/api/v1/metrics?camera_id=${cameraId}`)
  expect(metricas.passagens).toEqual({ total: 2, permitida: 0, bloqueada: 0, desconhecida: 1, sem_placa: 1 })
})

it('accepts passages of an earlier edge, without quality', async () => {
  const camera = await backstage.camera(own.empresaId)
  await backstage.passagem(camera, { qualidade: undefined as never })
  const shown = await own.admin.expect<LeituraPlacas>(200, 'GET', pathOf(camera.cameraId))
  expect(shown).toMatchObject({ passagens: 1, com_placa: 1, conselhos: ['sem_placas'] })
})

it('refuses a usuario and other Empresas', async () => {
  const { cameraId } = await backstage.camera(own.empresaId)
  const foreign = await app.account('Alheia')
  expect((await own.usuario.send('GET', pathOf(cameraId))).status).toBe(403)
  expect((await foreign.admin.send('GET', pathOf(cameraId))).status).toBe(404)
})
