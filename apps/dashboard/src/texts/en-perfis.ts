import type { NomePerfil } from '@vigia/contracts/perfis'

/** English titles and descriptions of the Perfis; the Portuguese ones are in the contracts. */
export const perfis: Readonly<Record<NomePerfil, { readonly titulo: string; readonly descricao: string }>> = {
  residencia: { titulo: 'Home', descricao: 'House or flat: intrusion at night, fire and obstructed camera all day' },
  comercio: { titulo: 'Shop', descricao: 'Shop: intrusion outside opening hours, crowds during them' },
  industria: {
    titulo: 'Factory',
    descricao: 'Factory: protective equipment in shifts, intrusion at night, fire always',
  },
  obra: {
    titulo: 'Building site',
    descricao: 'Site: hard hat and vest in working hours, intrusion and vehicles outside',
  },
  condominio: {
    titulo: 'Condominium',
    descricao: 'Gate and walls: line crossing and loitering at night, plates all day',
  },
  estacionamento: { titulo: 'Car park', descricao: 'Vehicles: plates, forbidden areas, a person who stays at night' },
  escola: { titulo: 'School', descricao: 'Intrusion outside school hours, crowds and abandoned objects during them' },
  deposito: { titulo: 'Warehouse', descricao: 'Warehouse: intrusion outside shifts, fire and smoke always' },
}
