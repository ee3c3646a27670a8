/** Texts of the panel that moves a camera. */
export const ptz = {
  titulo: 'Mover a câmera',
  alavanca: 'Mover: arraste, ou segure uma seta; + e − para o zoom',
  aproximar: 'Aproximar',
  afastar: 'Afastar',
  ajuda: 'Arraste ou segure: a câmera para quando você solta. Uma pessoa move por vez.',
  emUso: '{{por}} está movendo esta câmera.',
  abrindo: 'Perguntando à câmera…',
  preset: 'Posição guardada',
  ir: 'Ir',
  base: 'Posição inicial',
  voltando: 'A câmera volta à posição inicial.',
  definirBase: 'Definir posição inicial',
  definirBaseAjuda: 'Definir guarda a posição de agora na câmera. Depois, confira zonas e linha.',
  fora:
    'A câmera está fora da posição inicial. ' +
    'Até ela voltar, ficam paradas as IAs que dependem de zona, de linha ou do fundo, e a de câmera obstruída.',
} as const
