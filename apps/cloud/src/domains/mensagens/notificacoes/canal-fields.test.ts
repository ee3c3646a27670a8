import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { expect, it } from 'vitest'
import type { CanalFields } from '../../../db/canal-fields.ts'
import { requireReachable } from './canal-fields.ts'

const canal: CanalFields = {
  empresa_id: 1,
  nome: '',
  tipo: 'webhook',
  destino: 'http://10.0.0.7/x',
  destinatarios: [],
  ativo: false,
  camera_id: null,
  camera_ids: [],
  tipos_evento: [],
  agenda: {},
  avisar_quedas: true,
  gravidade_min: 'baixa',
  certeza_min: 'baixa',
  agrupar: false,
  intervalo_s: 120,
  continuacao: 'intervalo',
  resumo_hora: null,
  politica: 'aguardar',
  placas: true,
}

it('keeps an address that was allowed earlier and refuses a new one', () => {
  const none = parseAllowedCidrs('')
  expect(() => requireReachable(canal, [], none)).toThrow('validacao')
  expect(() => requireReachable(canal, ['http://10.0.0.7/x'], none)).not.toThrow()
  expect(() => requireReachable(canal, ['http://10.0.0.7/y'], none)).toThrow('validacao')
  expect(() => requireReachable(canal, [], parseAllowedCidrs('10.0.0.0/8'))).not.toThrow()
  expect(() => requireReachable({ ...canal, tipo: 'email' }, [], none)).not.toThrow()
})
