import { exigido, opcional } from '../../campos/campos.ts';
import type { ValoresDe } from '../../campos/campos.ts';
import { inteiro, ouNulo, preco, texto } from '../../campos/leitores.ts';
import { grupoRadius } from '../../planos/planos.campos.ts';
import { emDinheiro, emMbps } from '../formatos/valores.regras.ts';
import { codigoDe } from './codigo.regras.ts';
import type { Contexto, Registro } from './registro.ts';
import { lerPelaForma } from './registro.ts';

const MAIS_MBPS = 1_000_000;

const FORMA = {
  nome: exigido(texto(1, 120)),
  download_mbps: exigido(inteiro(1, MAIS_MBPS)),
  upload_mbps: opcional(inteiro(1, MAIS_MBPS)),
  valor: exigido(preco),
  tecnologia: opcional(ouNulo(texto(1, 40))),
  descricao: opcional(ouNulo(texto(1, 1000))),
  grupo_radius: opcional(ouNulo(grupoRadius)),
} as const;

export interface PlanoLido {
  readonly codigo: string;
  readonly plano: ValoresDe<typeof FORMA>;
}

/** Reads a line as a plan; null where it cannot be, with what is wrong in `erros`. */
export function lerPlano(registro: Registro, { formato, mapa }: Contexto): PlanoLido | null {
  const codigo = codigoDe(registro, formato, 'codigo');
  const dados = {
    nome: registro.texto('nome'),
    download_mbps: registro.convertido('download_mbps', emMbps),
    upload_mbps: registro.convertido('upload_mbps', emMbps),
    valor: registro.convertido('valor', emDinheiro),
    tecnologia: registro.texto('tecnologia'),
    descricao: registro.texto('descricao'),
    grupo_radius: registro.texto('grupo_radius'),
  };
  const presentes = Object.fromEntries(Object.entries(dados).filter(([, valor]) => valor !== undefined));
  const plano = lerPelaForma(registro, FORMA, presentes, { tolerar: mapa.tolerar ?? [] });
  return registro.erros.length > 0 || plano === null || codigo === null ? null : { codigo, plano };
}
