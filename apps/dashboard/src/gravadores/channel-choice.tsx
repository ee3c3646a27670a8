import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import type { ResultadoCanal } from '@vigia/contracts/gravadores'
import { nomesPerfis, perfil } from '@vigia/contracts/perfis'
import { useTranslation } from 'react-i18next'
import classes from '../cameras/camera-dialog.module.css'
import type { GravadorFieldsProps } from './gravador-fields.tsx'

export interface ChannelChoiceProps {
  readonly canais: readonly ResultadoCanal[]
  readonly chosen: readonly number[]
  readonly onChoose: (chosen: readonly number[]) => void
  readonly field: GravadorFieldsProps['field']
}

/** The discovered canais, with the choice of those that become cameras. */
export function ChannelChoice({ canais, chosen, onChoose, field }: ChannelChoiceProps) {
  const { t } = useTranslation()
  const describe = ({ estado, codec, resolucao, nome_camera }: ResultadoCanal): string => {
    if (estado === 'já cadastrada') return t('gravadores.jaCadastrada', { nome: nome_camera ?? '' })
    if (estado === 'vazia') return t('gravadores.vazia')
    return [codec?.toUpperCase(), resolucao].filter(Boolean).join(', ') || t('gravadores.comVideo')
  }
  return (
    <div className={classes.fields}>
      <Checkbox.Group
        label={t('gravadores.escolha')}
        value={chosen.map(String)}
        onChange={(values) => onChoose(values.map(Number))}
      >
        <ul className={classes.channels}>
          {canais.map((canal) => (
            <li key={canal.canal}>
              <Checkbox
                value={String(canal.canal)}
                label={t('gravadores.canal', { numero: canal.canal })}
                description={describe(canal)}
                disabled={canal.estado === 'já cadastrada'}
              />
            </li>
          ))}
        </ul>
      </Checkbox.Group>
      <TextInput
        label={t('gravadores.nome')}
        description={t('gravadores.nomeAjuda')}
        maxLength={150}
        autoComplete="off"
        {...field('nome_gravador')}
      />
      <NativeSelect
        label={t('cameras.formulario.perfil')}
        description={t('cameras.formulario.perfilAjuda')}
        {...field('perfil')}
        data={[
          { value: '', label: t('cameras.formulario.semPerfil') },
          ...nomesPerfis.map((nome) => ({ value: nome, label: perfil(nome).titulo })),
        ]}
      />
    </div>
  )
}
