import { expect, it } from 'vitest'
import { busiest, withEvents, worstCameras } from './report-summary.ts'

const count = (eventos: number, refutados = 0) => ({
  eventos,
  refutados,
  confirmados: eventos - refutados,
  pendentes: 0,
})
const camera = (id: number, eventos: number, refutados: number) => ({
  camera_id: id,
  camera_nome: `C${id}`,
  ...count(eventos, refutados),
})
const fall = (camera_id: number | null, total: number) => ({
  nome: `Q${camera_id}`,
  edge_id: 1,
  camera_id,
  total,
  segundos: 60,
})

it('finds the first row with the most events, and none among zeros', () => {
  const rows = [2, 5, 5, 0].map((eventos, hora) => ({ hora, ...count(eventos) }))
  expect(busiest(rows)?.hora).toBe(1)
  expect(busiest([{ ...count(0) }])).toBeNull()
  expect(withEvents(rows)).toHaveLength(3)
})

it('names cameras with many discarded events, then those that fall, and no box', () => {
  const por_camera = [camera(1, 40, 19), camera(2, 10, 6), camera(3, 30, 20), camera(4, 4, 4)]
  const quedas = { total: 9, segundos: 9, por_nome: [fall(null, 5), fall(5, 1), fall(6, 3)] }
  expect(
    worstCameras({ por_camera, quedas }).map(({ id, problema, quantos, de }) => [id, problema, quantos, de]),
  ).toEqual([
    [3, 'descartes', 20, 30],
    [2, 'descartes', 6, 10],
    [6, 'quedas', 3, 3],
  ])
})
