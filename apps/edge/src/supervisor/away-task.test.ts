import type { CameraTask } from '@vigia/analysis/model'
import type { NomeIa } from '@vigia/contracts/ias'
import { expect, it } from 'vitest'
import { awayTask } from './away-task.ts'

const names: readonly NomeIa[] = ['invasao', 'cruzamento_linha', 'camera_obstruida', 'objeto_abandonado', 'fogo']
const task = (zonas: CameraTask['zonas']): CameraTask => ({
  id: 1,
  fontes: { rtsp_url: 'rtsp://h/1', sub_rtsp_url: null },
  zonas,
  linha: [],
  fusoHorario: 'America/Sao_Paulo',
  analises: names.map((ia) => ({ ia, calibracao: {}, agenda: null })) as unknown as CameraTask['analises'],
})
const left = (zonas: CameraTask['zonas']) => awayTask(task(zonas)).analises.map(({ ia }) => ia)

it('keeps the analyses of the whole frame, and none where the camera has zones', () => {
  expect(left([])).toEqual(['invasao', 'fogo'])
  expect(left([[0, 0, 1, 0, 1, 1]])).toEqual([])
})
