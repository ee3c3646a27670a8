/** Texts of the editor of privacy masks. */
export const mascaras = {
  uma: 'Máscara {{numero}}',
  lista: 'Máscaras desta câmera',
  nenhuma: 'Sem máscara: a imagem aparece inteira.',
  efeito:
    'O que a máscara cobre fica cinza em todas as imagens, e a análise não o vê. Ao vivo e clipes passam a ser ' +
    'cópias menores, de no máximo 640 pixels.',
  ajuda:
    'Escolha uma máscara e arraste os pontos. Com o teclado: Tab vai de ponto em ponto, as setas movem (com Shift, ' +
    'mais), Delete remove o ponto, Ctrl+Z desfaz.',
  desenhando: 'Toque nos cantos da máscara, um depois do outro, e então em “Concluir máscara”. Esc cancela.',
  desenhar: 'Desenhar máscara',
  concluir: 'Concluir máscara',
  previa: 'Prévia: cobrir de cinza, como a caixa cobre',
  aplicada: 'A caixa aplica estas máscaras.',
} as const
