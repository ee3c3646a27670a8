/** Texts of the audio of a camera. */
export const som = {
  titulo: 'Som',
  ligar: 'Enviar o som da câmera',
  ajuda: 'O som sai junto com a imagem ao vivo e nos clipes. Desligado, a caixa não pede o som à câmera.',
  lgpd:
    'LGPD: o som grava conversas de pessoas. Ligue só com base legal e com um aviso no local que fale do som; quem ' +
    'responde pela proteção de dados deve concordar.',
  auditoria: 'A auditoria guarda quem ligou o som, e quando.',
  situacao: {
    desligado: 'Desligado.',
    aguardando: 'Ligado, à espera da caixa.',
    enviando: 'Ligado: o som sai da caixa.',
    sem_audio: 'Ligado, mas sem som.',
    formato: 'Ligado, mas sem som.',
    mascara: 'Ligado, mas sem som.',
    caixa_antiga: 'A caixa não envia som.',
  },
  ligarTitulo: 'Ligar o som?',
  confirmar: 'Ligar o som da câmera',
} as const
