import { type IaEvidence, ownBox } from '../evidence.ts'
import { catalogo } from './catalogue.ts'

/** The rule follows people; the epi model searches each person for items. */
export const evidence: IaEvidence = {
  tracks: 'objetos',
  needs: { objetos: ['person'], epi: catalogo.rotulos },
  uses: [],
  // `conf` of the calibration applies to the detections of the epi model. A person needs the same confidence as in the
  // other IAs.
  trackConf: 0.4,
  shown(track) {
    const { epi } = track.evidence
    return epi && Math.max(epi.noHardhat, epi.noVest) > 0 ? [ownBox(track), ...epi.caixas] : null
  },
}
