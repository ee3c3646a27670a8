/** Portuguese name of each label. */
export const names: Readonly<Record<string, string>> = {
  person: 'pessoa',
  bicycle: 'bicicleta',
  car: 'carro',
  motorcycle: 'motocicleta',
  bus: 'ônibus',
  truck: 'caminhão',
  bird: 'pássaro',
  cat: 'gato',
  dog: 'cachorro',
  horse: 'cavalo',
  cow: 'vaca',
  backpack: 'mochila',
  umbrella: 'guarda-chuva',
  handbag: 'bolsa',
  suitcase: 'mala',
  objeto: 'objeto parado',
  retirado: 'lugar de um objeto retirado',
  hardhat: 'capacete',
  no_hardhat: 'pessoa sem capacete',
  vest: 'colete',
  no_vest: 'pessoa sem colete',
  fire: 'fogo',
  smoke: 'fumaça',
}

/** Returns `pessoa` or `carro ou caminhão`; a label without a Portuguese name is quoted. */
export function labelNames(labels: readonly string[]): string {
  const known = [...new Set(labels.map((label) => names[label] ?? `"${label}"`))]
  return new Intl.ListFormat('pt-BR', { type: 'disjunction' }).format(known)
}
