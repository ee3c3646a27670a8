import { Checkbox, TextInput } from '@mantine/core'
import type { ResultadoCanal } from '@vigia/contracts/gravadores'
import { useTranslation } from 'react-i18next'
import classes from '../cameras/camera-dialog.module.css'
import { PerfilField } from '../cameras/perfil-field.tsx'
import type { ApiForm } from '../painel/use-api-form.ts'
import type { CampoGravador } from './gravador-form.ts'

export interface ChannelChoiceProps {
  readonly canais: readonly ResultadoCanal[]
  readonly chosen: readonly number[]
  readonly onChoose: (chosen: readonly number[]) => void
  readonly field: ApiForm<CampoGravador>['field']
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
    <>
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
      <PerfilField {...field('perfil')} />
    </>
  )
}
