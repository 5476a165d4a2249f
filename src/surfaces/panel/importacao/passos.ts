import type { ImportacoesService } from '../../../domain/importacoes/importacoes.service.ts';
import type { Importacao } from '../../../domain/importacoes/importacoes.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { aviso, cartao } from '../componentes/cartao.ts';
import { quantos } from '../componentes/escrita.ts';
import { caixa } from '../formulario/campos.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import type { Tela } from '../rota.ts';
import { CAMINHO, MIGALHAS } from './telas.ts';

interface DoPasso {
  readonly importacao: Importacao;
  readonly passo: 'executar' | 'desfazer' | 'rede';
  readonly titulo: string;
  readonly enviar: string;
  readonly perigoso?: boolean;
  readonly corpo: Html;
  readonly estado: EstadoDoFormulario;
}

/** Says what an action will do before it is done. */
function telaDoPasso({ importacao, passo, titulo, enviar, perigoso = false, corpo, estado }: DoPasso): Tela {
  const volta = `${CAMINHO}/${importacao.id}`;
  const form = formulario({ para: `${volta}/${passo}`, estado, rotulos: {}, enviar, volta, perigoso, corpo });
  return {
    titulo,
    menu: 'importacao',
    migalhas: [...MIGALHAS, [importacao.arquivo, volta]],
    corpo: html`<div class="largura-leitura">${cartao(null, form)}</div>`,
  };
}

export function telaDeExecutar(importacao: Importacao, estado: EstadoDoFormulario): Tela {
  const { simulacao, linhas } = importacao;
  return telaDoPasso({
    importacao,
    passo: 'executar',
    titulo: 'Gravar no cadastro',
    enviar: 'Gravar',
    estado,
    corpo: html`<p>
        ${
          simulacao === null
            ? `O arquivo tem ${quantos(linhas, 'linha', 'linhas')}, e ainda não foi simulado.`
            : `Pela simulação, ${quantos(simulacao.gravadas, 'linha entra', 'linhas entram')} e ${quantos(simulacao.recusadas, 'fica', 'ficam')} de fora.`
        }
        O que já está no cadastro não muda.
      </p>
      <p>
        A rede não muda: os logins só passam a valer aqui quando você os aplicar. Nas primeiras 24 horas dá para
        desfazer.
      </p>
      ${caixa(estado, {
        nome: 'avisar',
        rotulo: 'Avisar os sistemas ligados por webhook de cada cliente, contrato e fatura',
        dica: 'Sem isto, eles só sabem que uma importação terminou.',
      })}`,
  });
}

export function telaDeDesfazer(importacao: Importacao, estado: EstadoDoFormulario): Tela {
  return telaDoPasso({
    importacao,
    passo: 'desfazer',
    titulo: 'Desfazer a importação',
    enviar: 'Desfazer',
    perigoso: true,
    estado,
    corpo: html`<p>
      Apaga do cadastro o que entrou por este arquivo (${quantos(importacao.contagens.gravadas, 'linha', 'linhas')}). O
      que alguém já tocou desde então fica, e o relatório diz o quê.
    </p>`,
  });
}

type Previsto = Awaited<ReturnType<ImportacoesService['previstoNaRede']>>;

export function telaDeAplicar(importacao: Importacao, previsto: Previsto, estado: EstadoDoFormulario): Tela {
  const { ativos, bloqueados, senhas, semSenha, semSenhaIds, jaNoRadius, jaNoRadiusIds, dias } = previsto;
  return telaDoPasso({
    importacao,
    passo: 'rede',
    titulo: 'Aplicar à rede',
    enviar: `Aplicar ${quantos(ativos + bloqueados, 'login', 'logins')}`,
    estado,
    corpo: html`<p>
        ${quantos(ativos + bloqueados, 'login vai', 'logins vão')} ao RADIUS:
        ${quantos(ativos, 'liberado', 'liberados')} e ${quantos(bloqueados, 'bloqueado', 'bloqueados')};
        ${quantos(senhas, 'com senha do arquivo', 'com senha do arquivo')}.
      </p>
      <p>
        O arquivo foi gravado ${dias === 0 ? 'há menos de um dia' : `há ${quantos(dias, 'dia', 'dias')}`}: o que mudou
        no outro sistema desde então não está aqui.
      </p>
      ${
        jaNoRadius === 0
          ? null
          : aviso(
              'warning',
              `${quantos(jaNoRadius, 'contrato já tem', 'contratos já têm')} senha no RADIUS, que a do arquivo substitui: ${emLista(jaNoRadiusIds, jaNoRadius)}. Confira de quem são estes logins.`,
            )
      }
      ${
        semSenha === 0
          ? null
          : html`${aviso(
              'warning',
              `${quantos(semSenha, 'contrato ativo não tem', 'contratos ativos não têm')} senha nenhuma, e por ele ninguém entra: ${emLista(semSenhaIds, semSenha)}.`,
            )}
            ${caixa(estado, { nome: 'sem_senha', rotulo: 'Aplicar também os que não têm senha' })}`
      }`,
  });
}

/** Numbers of contracts; of many, the first. */
const emLista = (ids: readonly number[], total: number): string =>
  `${ids.join(', ')}${total > ids.length ? ` e mais ${total - ids.length}` : ''}`;
