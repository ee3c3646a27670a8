import { NativeSelect } from '@mantine/core'
import type { Janela } from '@vigia/contracts/agenda'
import { type NomeIa, nomesIas } from '@vigia/contracts/ias'
import { nomesPerfis } from '@vigia/contracts/perfis'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { textsOfPerfil } from '../../../texts/perfil-texts.ts'
import type { BulkAction } from './bulk-change.ts'
import classes from './varias-page.module.css'
import { WindowEditor } from './window-editor.tsx'

interface ChoiceProps {
  readonly disabled: boolean
  /** null: the choice is not complete. */
  readonly onChange: (action: BulkAction | null) => void
}

const kinds = ['perfil', 'agenda', 'ias'] as const

/** The fields that describe one change for many cameras. */
export function BulkChoice({ disabled, onChange }: ChoiceProps) {
  const { t } = useTranslation()
  const [kind, setKind] = useState<(typeof kinds)[number] | null>(null)
  return (
    <fieldset className={classes.choices} disabled={disabled} style={{ border: 0, margin: 0, padding: 0 }}>
      <NativeSelect
        label={t('camera.varias.acao')}
        value={kind ?? ''}
        onChange={(event) => {
          setKind(kinds.find((one) => one === event.currentTarget.value) ?? null)
          onChange(null)
        }}
        data={[
          { value: '', label: t('camera.varias.escolha') },
          ...kinds.map((one) => ({ value: one, label: t(`camera.varias.acoes.${one}`) })),
        ]}
      />
      {kind === 'perfil' && <PerfilChoice onChange={onChange} />}
      {kind === 'agenda' && <AgendaChoice onChange={onChange} />}
      {kind === 'ias' && <IasChoice onChange={onChange} />}
    </fieldset>
  )
}

type Choice = Pick<ChoiceProps, 'onChange'>

function PerfilChoice({ onChange }: Choice) {
  const { t } = useTranslation()
  return (
    <NativeSelect
      label={t('camera.vigia.escolher')}
      defaultValue=""
      onChange={(event) => {
        const nome = nomesPerfis.find((one) => one === event.currentTarget.value)
        onChange(nome ? { kind: 'perfil', nome, placas: new Set() } : null)
      }}
      data={[
        { value: '', label: t('camera.varias.escolha') },
        ...nomesPerfis.map((nome) => ({ value: nome, label: textsOfPerfil(nome).titulo })),
      ]}
    />
  )
}

const NIGHT: Janela = { inicio: 22, fim: 6, dias: [] }

function AgendaChoice({ onChange }: Choice) {
  const { t } = useTranslation()
  const [ia, setIa] = useState<NomeIa | null>(null)
  const [janela, setJanela] = useState<Janela | null | undefined>(undefined)
  const tell = (nome: NomeIa | null, next: Janela | null | undefined) => {
    setIa(nome)
    setJanela(next)
    onChange(next === undefined ? null : { kind: 'agenda', ia: nome, janela: next })
  }
  return (
    <>
      <NativeSelect
        label={t('camera.varias.qualIa')}
        value={ia ?? ''}
        onChange={(event) => tell(nomesIas.find((one) => one === event.currentTarget.value) ?? null, janela)}
        data={[
          { value: '', label: t('camera.varias.cadaIa') },
          ...nomesIas.map((nome) => ({ value: nome, label: textsOfIa(nome).titulo })),
        ]}
      />
      <NativeSelect
        label={t('camera.varias.quando')}
        value={janela === undefined ? '' : janela === null ? 'sempre' : 'janela'}
        onChange={(event) => {
          const { value } = event.currentTarget
          tell(ia, value === 'sempre' ? null : value === 'janela' ? NIGHT : undefined)
        }}
        data={[
          { value: '', label: t('camera.varias.escolha') },
          { value: 'sempre', label: t('camera.horarios.sempre') },
          { value: 'janela', label: t('camera.horarios.emHorario') },
        ]}
      />
      {janela && (
        <WindowEditor
          name={ia === null ? t('camera.varias.cadaIa') : textsOfIa(ia).titulo}
          janela={janela}
          step={1}
          onChange={(next) => tell(ia, next)}
        />
      )}
    </>
  )
}

function IasChoice({ onChange }: Choice) {
  const { t } = useTranslation()
  const [choices, setChoices] = useState<ReadonlyMap<NomeIa, 'liga' | 'desliga'>>(new Map())
  const choose = (nome: NomeIa, value: string) => {
    const next = new Map(choices)
    if (value === 'liga' || value === 'desliga') next.set(nome, value)
    else next.delete(nome)
    setChoices(next)
    const named = (wanted: 'liga' | 'desliga') => nomesIas.filter((one) => next.get(one) === wanted)
    onChange(next.size === 0 ? null : { kind: 'ias', liga: named('liga'), desliga: named('desliga') })
  }
  return (
    <>
      {nomesIas.map((nome) => (
        <NativeSelect
          key={nome}
          label={textsOfIa(nome).titulo}
          value={choices.get(nome) ?? ''}
          onChange={(event) => choose(nome, event.currentTarget.value)}
          data={[
            { value: '', label: t('camera.varias.manter') },
            { value: 'liga', label: t('camera.varias.ligar') },
            { value: 'desliga', label: t('camera.varias.desligar') },
          ]}
        />
      ))}
    </>
  )
}
