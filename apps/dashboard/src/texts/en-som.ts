/** Texts of the audio of a camera. */
export const som = {
  titulo: 'Sound',
  ligar: 'Send the sound of the camera',
  ajuda: 'The sound leaves with live video and with clips. When off, the box does not ask the camera for it.',
  lgpd:
    'LGPD: sound records conversations of people. Turn it on only with a legal basis and a notice at the place that ' +
    'mentions sound. The person responsible for data protection must agree.',
  auditoria: 'The audit log keeps who turned the sound on, and when.',
  situacao: {
    desligado: 'Off.',
    aguardando: 'On, waiting for the box.',
    enviando: 'On: the sound leaves the box.',
    sem_audio: 'On, but without sound.',
    formato: 'On, but without sound.',
    mascara: 'On, but without sound.',
    caixa_antiga: 'The box does not send sound.',
  },
  ligarTitulo: 'Turn the sound on?',
  confirmar: 'Turn on the sound of the camera',
} as const
