import { calibracaoPadrao } from '@vigia/contracts/ias'
import type { CameraTask } from '../model.ts'

/** A camera at `url` with the IA invasao, default thresholds and no cooldown. */
export const task = (id: number, url: string, limits: Record<string, number> = {}): CameraTask => ({
  id,
  fontes: { rtsp_url: url, sub_rtsp_url: null },
  analises: [
    { ia: 'invasao', calibracao: { ...calibracaoPadrao.invasao, resfriamento_s: 0, ...limits }, agenda: null },
  ],
  zonas: [],
  linha: [],
  fusoHorario: 'America/Sao_Paulo',
})
