/** Texts of continuous recording on the box. */
export const gravacaoContinua = {
  titulo: 'Continuous recording on the box',
  ligar: 'Record the sub stream on the box',
  ajuda:
    'The box records all the time on its own disk, and deletes the oldest part when the space is used up. Use it ' +
    'where the recorder does not hand out recordings, or deletes within days.',
  lgpd:
    'LGPD: this is one more place with pictures of people. Mention it in the notice of video surveillance, and keep ' +
    'recordings only as long as you need them.',
  situacao: {
    desligada: 'Off.',
    gravando: 'Recording.',
    parada: 'Not recording.',
    aguardando: 'On, waiting for the box.',
    caixa_antiga: 'The box does not record.',
  },
  guardado: 'Held: from {{de}} to {{ate}}, {{mb}} MB.',
  nada: 'Nothing held yet.',
  desligarTitulo: 'Turn off and delete the recording?',
  desligarTexto: 'The box deletes everything it has recorded of this camera. The clips of events stay.',
  desligar: 'Turn off and delete',
} as const
