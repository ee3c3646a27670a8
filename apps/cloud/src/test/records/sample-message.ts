import type {
  MensagemEvento,
  MensagemIncidente,
  MensagemQueda,
  MensagemResumo,
} from '../../adapters/senders/interface.ts'

/** A confirmed evento during a summer night in São Paulo (UTC−3). */
export const mensagem: MensagemEvento = {
  tipo: 'evento.confirmado',
  id: '0191f0c4-7b3a-7c5e-9d2f-1a2b3c4d5e6f',
  enviadoEm: Date.UTC(2026, 11, 24, 3, 0, 5),
  empresa: { id: 7, nome: 'Padaria Pão & Cia', fusoHorario: 'America/Sao_Paulo' },
  camera: { id: 9, nome: 'Portão <fundos>' },
  evento: {
    id: 41,
    empresa_id: 7,
    camera_id: 9,
    camera_nome: 'Portão <fundos>',
    tipo: 'invasao',
    gravidade: 'alta',
    ocorrido_em: '2026-12-24T03:00:00.000Z',
    recebido_em: '2026-12-24T03:00:01.000Z',
    confianca: 0.8,
    rotulos: ['person'],
    caixas: [],
    zona: null,
    veredito: {
      decisao: 'confirmado',
      certeza: 'alta',
      confianca: 0.9,
      motivo: 'Pessoa no pátio.',
      fonte: 'local',
      verificado_em: '2026-12-24T03:00:02.000Z',
    },
    crop_url: '/api/v1/crops/41',
    clip_url: null,
    detalhes: {},
    prova: false,
    incidente_id: 12,
  },
}

/** A camera that is online again after two hours without a picture. */
export const mensagemQueda: MensagemQueda = {
  tipo: 'camera.online',
  id: '0191f0c4-7b3a-8c5e-9d2f-1a2b3c4d5e6f',
  enviadoEm: Date.UTC(2026, 11, 24, 5, 5, 25),
  empresa: mensagem.empresa,
  camera: mensagem.camera,
  edge: { id: 3, nome: 'Caixa da portaria' },
  queda: {
    id: 17,
    empresa_id: 7,
    edge_id: 3,
    camera_id: 9,
    nome: 'Portão <fundos>',
    inicio: '2026-12-24T03:00:00.000Z',
    fim: '2026-12-24T05:05:10.000Z',
    motivo: 'video_parado',
    motivo_texto: 'O vídeo parou de chegar. Tentando reconectar.',
  },
}

/** The first message about the incidente of `mensagem`. */
export const mensagemIncidente: MensagemIncidente = {
  tipo: 'incidente',
  id: '0191f0c4-7b3a-8c5e-9d2f-1a2b3c4d5e70',
  enviadoEm: mensagem.enviadoEm,
  empresa: mensagem.empresa,
  camera: mensagem.camera,
  fase: 'novo',
  novos: 1,
  incidente: {
    id: 12,
    camera: { id: 9, nome: 'Portão <fundos>' },
    tipos: ['invasao'],
    gravidade: 'alta',
    inicio: '2026-12-24T03:00:00.000Z',
    fim: '2026-12-24T03:00:00.000Z',
    eventos: 1,
    situacao: 'confirmado',
  },
  capa: mensagem.evento,
}

/** Two incidentes that waited while the destination was down. */
export const mensagemResumo: MensagemResumo = {
  tipo: 'resumo',
  id: '0191f0c4-7b3a-8c5e-9d2f-1a2b3c4d5e71',
  enviadoEm: mensagem.enviadoEm,
  empresa: mensagem.empresa,
  camera: null,
  motivo: 'atraso',
  inicio: '2026-12-24T03:00:00.000Z',
  fim: '2026-12-24T03:20:00.000Z',
  total: 2,
  incidentes: [
    { ...mensagemIncidente.incidente, mensagem_id: mensagemIncidente.id, avisado: true },
    {
      ...mensagemIncidente.incidente,
      id: 13,
      tipos: ['invasao', 'fogo'],
      gravidade: 'critica',
      eventos: 3,
      inicio: '2026-12-24T03:20:00.000Z',
      fim: '2026-12-24T03:20:00.000Z',
      mensagem_id: '0191f0c4-7b3a-8c5e-9d2f-1a2b3c4d5e72',
      avisado: false,
    },
  ],
}
