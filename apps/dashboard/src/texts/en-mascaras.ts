/** Texts of the editor of privacy masks. */
export const mascaras = {
  uma: 'Mask {{numero}}',
  lista: 'Masks of this camera',
  nenhuma: 'No mask: the whole picture is shown.',
  efeito:
    'A mask turns what it covers grey in every picture, and the analysis does not see it. Live video and clips ' +
    'become smaller copies of at most 640 pixels.',
  ajuda:
    'Select a mask and drag its points. By keyboard: Tab goes from point to point, the arrows move it (with Shift ' +
    'further), Delete removes it, Ctrl+Z undoes.',
  desenhando: 'Tap the corners of the mask one after the other, then “Finish mask”. Esc cancels.',
  desenhar: 'Draw mask',
  concluir: 'Finish mask',
  previa: 'Preview: cover in grey, as the box does',
  aplicada: 'The box applies these masks.',
} as const
