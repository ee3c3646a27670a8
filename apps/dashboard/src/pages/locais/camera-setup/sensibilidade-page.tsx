import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { Camera } from '@vigia/contracts/cameras'
import { calibracaoPadrao, type NomeIa } from '@vigia/contracts/ias'
import { mergeCalibration } from '@vigia/ias/calibration'
import { useTranslation } from 'react-i18next'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { Column } from '../../../ui/layout.tsx'
import { Soft } from '../../../ui/page.tsx'
import { type ApiForm, useApiForm } from '../../../ui/use-api-form.ts'
import classes from './camera.module.css'
import { NoIas } from './horarios-page.tsx'
import { ReviewBias } from './review-bias.tsx'
import { SaveBar } from './save-bar.tsx'
import { SimulationPanel } from './simulation-panel.tsx'
import { Suggestion } from './suggestion.tsx'
import { useThresholdText } from './threshold-text.ts'
import { configOf, fieldOf, formOf, isChanged, isWhole, limitsOf, problemOf, thresholdsOf } from './thresholds.ts'
import { useCameraSave } from './use-camera-save.ts'

const FIELDS = ['config_ia'] as const

/** The problem of each field of the form, by its name. */
function problemsOf(ias: readonly NomeIa[], form: Readonly<Record<string, string>>) {
  const problems = ias.flatMap((nome) =>
    thresholdsOf(nome).flatMap((limiar) => {
      const limits = limitsOf(nome, limiar)
      const problem = limits ? problemOf(limits, form[fieldOf(nome, limiar)] ?? '') : null
      return problem && limits ? [[fieldOf(nome, limiar), { problem, limits }] as const] : []
    }),
  )
  return new Map(problems)
}

/** The thresholds of each enabled IA: the value in force, the saved one, and the effect in one sentence. */
export function SensibilidadePage() {
  const { t } = useTranslation()
  const save = useCameraSave(FIELDS)
  const { opened } = save
  const form = useApiForm<string, string>({ initial: formOf(opened), check: () => ({}), sentence: (text) => text })
  const ias = opened.eventos_habilitados
  const problems = problemsOf(ias, form.values)
  const valid = problems.size === 0
  const config = valid ? configOf(opened, form.values) : opened.config_ia
  const patch = isChanged(opened, form.values) ? { config_ia: config } : null
  const setAll = (values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) form.set(name, value)
  }
  const sentence = (nome: NomeIa, limiar: string): string | undefined => {
    const found = problems.get(fieldOf(nome, limiar))
    if (!found) return undefined
    const { minimo, maximo } = found.limits
    return t(`camera.limiares.${found.problem}`, { minimo: formatNumber(minimo), maximo: formatNumber(maximo) })
  }
  return (
    <>
      <Soft>{t('camera.limiares.ajuda')}</Soft>
      {ias.length === 0 && <NoIas camera={opened} />}
      <ul className={classes.cards} aria-label={t('camera.abas.sensibilidade')}>
        {ias.map((nome) => (
          <li key={nome} className={classes.card}>
            <div className={classes.row}>
              <h2>{textsOfIa(nome).titulo}</h2>
              <Button
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={t('camera.limiares.padraoRotulo', { nome: textsOfIa(nome).titulo })}
                onClick={() => setAll(formOf({ eventos_habilitados: [nome], config_ia: {} }))}
              >
                {t('camera.limiares.voltarPadrao')}
              </Button>
            </div>
            <Column gap={11}>
              {thresholdsOf(nome).map((limiar) => (
                <Threshold
                  key={limiar}
                  camera={opened}
                  nome={nome}
                  limiar={limiar}
                  form={form}
                  error={sentence(nome, limiar)}
                />
              ))}
            </Column>
            <ReviewBias camera={opened.id} nome={nome} />
            <Suggestion
              camera={opened.id}
              nome={nome}
              onUse={(conf) => form.set(fieldOf(nome, 'conf'), formatNumber(conf))}
            />
          </li>
        ))}
      </ul>
      {ias.length > 0 && <SimulationPanel camera={opened} proposal={valid ? patch : null} />}
      <SaveBar
        save={save}
        patch={patch}
        problems={valid ? [] : [t('camera.limiares.corrija')]}
        onReset={(stored) => setAll(formOf(stored))}
      />
    </>
  )
}

interface ThresholdProps {
  readonly camera: Camera
  readonly nome: NomeIa
  readonly limiar: string
  readonly form: ApiForm<string>
  readonly error: string | undefined
}

function Threshold({ camera, nome, limiar, form, error }: ThresholdProps) {
  const { t } = useTranslation()
  const text = useThresholdText()(nome, limiar)
  const limits = limitsOf(nome, limiar)
  const field = form.field(fieldOf(nome, limiar))
  if (!limits) return null
  const saved = camera.config_ia[nome]?.[limiar]
  const props = { ...field, error, label: text.nome, description: text.frase }
  const effective = mergeCalibration(camera.config_ia)[nome][limiar] ?? limits.padrao
  return (
    <div>
      {limits.unidade === 'booleano' && (
        <NativeSelect
          {...props}
          data={[
            { value: 'true', label: text.value(true) },
            { value: 'false', label: text.value(false) },
          ]}
        />
      )}
      {limits.unidade === 'codigo' && (
        <NativeSelect {...props} data={[0, 1, 2].map((code) => ({ value: String(code), label: text.value(code) }))} />
      )}
      {limits.unidade !== 'booleano' && limits.unidade !== 'codigo' && (
        <TextInput {...props} inputMode={isWhole(limits) ? 'numeric' : 'decimal'} autoComplete="off" maxLength={12} />
      )}
      <Soft>
        {t('camera.limiares.vigor', { valor: text.value(effective) })}
        {' · '}
        {saved === undefined
          ? t('camera.limiares.doSistema')
          : t('camera.limiares.salva', {
              valor: text.value(saved),
              padrao: text.value(calibracaoPadrao[nome][limiar] ?? limits.padrao),
            })}
      </Soft>
    </div>
  )
}
