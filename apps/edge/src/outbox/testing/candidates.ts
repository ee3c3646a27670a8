import { randomBytes } from 'node:crypto'
import type { NewCandidate } from '@vigia/analysis/model'
import type { NomeIa } from '@vigia/contracts/ias'
import { uuidV7 } from '../../db/uuid-v7.ts'
import type { OutboxQuota } from '../quota-store.ts'

let clock = Date.parse('2026-11-09T15:00:00Z')

export const candidate = (cameraId: number, ia: NomeIa = 'invasao'): NewCandidate => ({
  id: uuidV7(++clock),
  camera_id: cameraId,
  ia,
  ocorrido_em: clock,
  relogio: { desvio_ms: null, sincronizado: false },
  confianca: 0.8,
  rotulos: ['person'],
  caixas: [{ rotulo: 'person', confianca: 0.8, x: 0.1, y: 0.1, w: 0.2, h: 0.4 }],
  zona: null,
  quadro: { largura: 384, altura: 288 },
  calibracao: { conf: 0.45 },
  modelo: 'nanodet-g-416',
  detalhes: {},
})

/** Incompressible bytes of that length. */
export const jpeg = (bytes: number): Buffer => randomBytes(bytes)

/** A quota of bytes on a disk with unknown free space. */
export const unlimited = (maxBytes = 1e9): OutboxQuota => ({ maxBytes, reserveBytes: 0, freeBytes: () => null })
