import { fimDoDiaEm, hojeEm, lerData } from '../../../brazil/calendario/datas.ts';
import {
  LIMITE_MAXIMO,
  LIMITE_PADRAO,
  PERMISSOES,
  RESTRICOES,
  SEM_RESTRICAO,
} from '../../../domain/chaves/chaves.types.ts';
import type { Permissao } from '../../../domain/chaves/chaves.types.ts';
import type { ChaveDaEquipe } from '../../../domain/chaves/uso/leitura.service.ts';
import { faltaEm } from '../../../domain/erros.ts';
import { podeDar } from '../../../domain/chaves/poder.regras.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { area, caixas, conjunto, entrada } from '../formulario/campos.ts';
import { preenchido } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import type { TipoDeCampo } from '../formulario/leitura.ts';
import type { Sessao } from '../sessao.ts';
import { GRUPOS_DE_PERMISSOES, PERMISSOES_DITAS, RESTRICOES_DITAS } from './palavras.ts';

export const ROTULOS_DA_CHAVE = {
  nome: 'Nome do sistema',
  permissoes: 'Permissões',
  restricoes: 'Restrições',
  ips: 'IPs permitidos',
  limite: 'Pedidos por minuto',
  expira: 'Vale até',
} as const;

export const CAMPOS_NA_TELA: Readonly<Record<keyof typeof ROTULOS_DA_CHAVE, TipoDeCampo>> = {
  nome: 'texto',
  permissoes: 'lista',
  restricoes: 'lista',
  ips: 'linhas',
  limite: 'texto',
  expira: 'apagavel',
};

/** What whoever asks may give to a key. */
export const quePodeDar = (sessao: Sessao): readonly Permissao[] =>
  PERMISSOES.filter((permissao) => podeDar(sessao.perfil.permissoes, permissao));

export const FORMA_EM_BRANCO = preenchido({ limite: LIMITE_PADRAO });

/** What a chatbot needs, whose every conversation is with one person. */
export const FORMA_DE_CHATBOT = preenchido({
  nome: 'Chatbot',
  limite: LIMITE_PADRAO,
  restricoes: RESTRICOES,
  permissoes: [
    'clientes:leitura',
    'financeiro:leitura',
    'chamados:leitura',
    'chamados:escrita',
    'contratos:desbloqueio',
    'planos:leitura',
  ],
});

/** The form of a key as it stands. */
export const formaDaChave = (fuso: string, chave: ChaveDaEquipe): EstadoDoFormulario =>
  preenchido({
    nome: chave.nome,
    permissoes: chave.permissoes,
    restricoes: chave.restricoes,
    ips: chave.ipsPermitidos?.join('\n'),
    limite: chave.limitePorMinuto,
    expira: chave.expiraEm === null ? null : hojeEm(fuso, chave.expiraEm),
    atualizado_em: chave.atualizadoEm.toISOString(),
  });

/** A key is good until its last day ends where the provider is. @throws CamposInvalidos */
export function comValidade(
  fuso: string,
  dados: Readonly<Record<string, unknown>>,
  antes: Date | null = null,
): Readonly<Record<string, unknown>> {
  const { expira } = dados;
  if (typeof expira !== 'string') return dados;
  const dia = lerData(expira);
  if (dia === null) faltaEm('expira', 'deve ser um dia que exista');
  // What was not touched stays as it is, to the second.
  if (antes !== null && dia === hojeEm(fuso, antes)) return { ...dados, expira: antes };
  return { ...dados, expira: fimDoDiaEm(fuso, dia) };
}

/** The fields of a key; `permissoes`: those that may be chosen. */
export function camposDaChave(estado: EstadoDoFormulario, permissoes: readonly Permissao[], dica: string): Html {
  return html`${entrada(estado, {
      nome: 'nome',
      rotulo: ROTULOS_DA_CHAVE.nome,
      dica: 'Por exemplo, Chatbot WhatsApp. Uma chave por sistema: assim se sabe quem pediu o quê.',
      obrigatorio: true,
      maximo: 120,
    })}
    ${caixasDePermissao(estado, permissoes, dica)} ${caixasDeRestricao(estado)}
    ${area(estado, {
      nome: 'ips',
      rotulo: ROTULOS_DA_CHAVE.ips,
      dica: 'Um por linha, como 203.0.113.7 ou 203.0.113.0/24. Em branco, vale de qualquer endereço.',
      linhas: 3,
    })}
    <div class="grade">
      ${entrada(estado, {
        nome: 'limite',
        rotulo: ROTULOS_DA_CHAVE.limite,
        dica: `De 1 a ${LIMITE_MAXIMO}.`,
        teclado: 'numeric',
        obrigatorio: true,
      })}
      ${entrada(estado, {
        nome: 'expira',
        rotulo: ROTULOS_DA_CHAVE.expira,
        dica: 'Até o fim deste dia. Em branco, não expira.',
        tipo: 'date',
      })}
    </div>`;
}

function caixasDeRestricao(estado: EstadoDoFormulario): Html {
  return caixas(estado, {
    nome: 'restricoes',
    rotulo: ROTULOS_DA_CHAVE.restricoes,
    dica: `Para um chatbot ou uma URA, marque as duas. Depois só se somam. Uma chave com restrições não tem ${SEM_RESTRICAO.join(', ')}.`,
    opcoes: RESTRICOES.map((valor) => ({ valor, texto: RESTRICOES_DITAS[valor], dica: html`<code>${valor}</code>` })),
  });
}

function caixasDePermissao(estado: EstadoDoFormulario, permissoes: readonly Permissao[], dica: string): Html {
  const marcadas = estado.digitado.get('permissoes') ?? [];
  const doGrupo = (grupo: string): readonly Permissao[] =>
    permissoes.filter((uma) => PERMISSOES_DITAS[uma].grupo === grupo);
  return conjunto(
    estado,
    { nome: 'permissoes', rotulo: ROTULOS_DA_CHAVE.permissoes, dica },
    html`${GRUPOS_DE_PERMISSOES.filter((grupo) => doGrupo(grupo).length > 0).map(
      (grupo) =>
        html`<p class="fw-bold mb-1 mt-2">${grupo}</p>
          <div class="caixas">
            ${doGrupo(grupo).map(
              (valor) =>
                html`<label class="form-check"
                  ><input
                    class="form-check-input"
                    type="checkbox"
                    name="permissoes"
                    value="${valor}"
                    ${marcadas.includes(valor) ? html`checked` : null}
                  />
                  <span class="form-check-label">${PERMISSOES_DITAS[valor].texto}</span
                  ><span class="form-check-description"><code>${valor}</code></span></label
                >`,
            )}
          </div>`,
    )}`,
  );
}
