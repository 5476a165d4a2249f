import { palavrasDaFalha } from '../../../domain/psp/convenios/conexao.service.ts';
import type { CobrancaNaLista, Convenio } from '../../../domain/psp/convenios/leitura.service.ts';
import { ADAPTADORES } from '../../../domain/psp/adaptadores/adaptadores.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, etiqueta, ficha } from '../componentes/cartao.ts';
import { instante } from '../componentes/escrita.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { exigirConta } from '../cobranca/contas.ts';
import { area, entrada, escolha } from '../formulario/campos.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { preenchido } from '../formulario/estado.ts';
import { versaoAtual } from '../formulario/versao.ts';
import { botao, formulario } from '../formulario/formulario.ts';
import type { Chamada, Tela } from '../rota.ts';

const ROTULOS = {
  adaptador: 'PSP',
  chave: 'Chave PIX que recebe',
  tipo: 'Tipo de cobrança',
  validade_dias: 'Dias para pagar depois do vencimento',
  base: 'Endereço da API Pix',
  token_url: 'Endereço do token',
  client_id: 'client_id',
  client_secret: 'client_secret',
  chave_do_aplicativo: 'Chave do aplicativo',
  cas_extras: 'Certificados em que confiar, além dos usuais',
};

export const doPsp = (id: number): string => `/configuracoes/cobranca/contas/${id}/psp`;

const campos = (estado: EstadoDoFormulario, novo: boolean): Html => html`
  <div class="grade">
    ${escolha(estado, { nome: 'adaptador', rotulo: ROTULOS.adaptador, obrigatorio: true, opcoes: Object.entries(ADAPTADORES).map(([valor, { nome }]) => ({ valor, texto: nome })) })}
    ${entrada(estado, { nome: 'chave', rotulo: ROTULOS.chave, maximo: 77, obrigatorio: true })}
    ${escolha(estado, {
      nome: 'tipo',
      rotulo: ROTULOS.tipo,
      obrigatorio: true,
      opcoes: [
        { valor: 'cobv', texto: 'Com vencimento, multa e juros' },
        { valor: 'cob', texto: 'Imediata' },
      ],
    })}
    ${entrada(estado, { nome: 'validade_dias', rotulo: ROTULOS.validade_dias, teclado: 'numeric', maximo: 3, obrigatorio: true })}
  </div>
  ${entrada(estado, { nome: 'base', rotulo: ROTULOS.base, maximo: 500, dica: 'Vazio: o do PSP escolhido, em produção.' })}
  ${entrada(estado, { nome: 'token_url', rotulo: ROTULOS.token_url, maximo: 500, dica: 'Vazio: o do PSP escolhido.' })}
  ${entrada(estado, { nome: 'client_id', rotulo: ROTULOS.client_id, maximo: 1000, autocomplete: 'off', dica: novo ? 'Como o PSP o deu, no painel dele.' : 'Vazio: fica o que está guardado.' })}
  ${entrada(estado, { nome: 'client_secret', rotulo: ROTULOS.client_secret, tipo: 'password', maximo: 1000, autocomplete: 'off', dica: 'É guardado cifrado, e não volta a ser mostrado.' })}
  ${entrada(estado, { nome: 'chave_do_aplicativo', rotulo: ROTULOS.chave_do_aplicativo, tipo: 'password', maximo: 1000, autocomplete: 'off', dica: 'Só de quem a pede, como o Banco do Brasil.' })}
  ${area(estado, { nome: 'cas_extras', rotulo: ROTULOS.cas_extras, linhas: 2, maximo: 65536, dica: 'Em PEM; quase sempre vazio.' })}
`;

const lista = (titulo: string, linhas: readonly CobrancaNaLista[], vazia: string): Html =>
  cartao(
    titulo,
    tabela({
      legenda: titulo,
      linhas,
      colunas: [
        {
          titulo: 'Fatura',
          principal: true,
          celula: ({ faturaId }) => html`<a href="${BASE}/faturas/${faturaId}">${faturaId}</a>`,
        },
        { titulo: 'O que falta', celula: ({ etapa }) => etapa ?? 'nada' },
        { titulo: 'Tentativas', celula: ({ tentativas }) => String(tentativas) },
        {
          titulo: 'Por quê',
          celula: ({ codigo, motivo }) => motivo ?? (codigo === null ? null : palavrasDaFalha(codigo)),
        },
      ],
      vazia: vazio('qrcode', vazia, ''),
    }),
    { rente: true },
  );

function estadoDe(convenio: Convenio, fuso: string, contagem: Readonly<Record<string, number>>): Html {
  const { certificado, parada, webhook, lidoAte } = convenio;
  return html`${parada === null ? null : aviso('warning', html`O PSP ${palavrasDaFalha(parada.codigo)}. Tenta-se de novo em ${instante(fuso, parada.ate)}.`)}
  ${webhook === 'sumiu' ? aviso('warning', 'O PSP não tem mais o nosso endereço: registre-o de novo. Até lá, os PIX são lidos da lista dele.') : null}
  ${ficha([
    ['Situação', convenio.ativo ? etiqueta('Cobrando', 'green') : etiqueta('Parado', 'secondary')],
    [
      'Certificado',
      certificado === null ? 'nenhum' : html`${certificado.titular}, até ${instante(fuso, certificado.validoAte)}`,
    ],
    ['Webhook', webhook === 'registrado' ? 'registrado' : 'não registrado'],
    ['PIX lidos até', lidoAte === null ? 'ainda não' : instante(fuso, lidoAte)],
    ['Cobranças ativas', String(contagem['ativa'] ?? 0)],
  ])}`;
}

/** What is set of the PSP of an account, what waits there, and what it refused. */
export async function telaDoPsp(
  chamada: Chamada<{ readonly id: number }>,
  digitado: EstadoDoFormulario | null,
  teste: Html | null = null,
): Promise<Tela> {
  const conta = await exigirConta(chamada);
  const { dominio, sessao } = chamada;
  const convenio = (await dominio.psp.convenios()).find(({ cobradorId }) => cobradorId === conta.id) ?? null;
  const aqui = doPsp(conta.id);
  const estado =
    digitado ??
    preenchido({
      adaptador: convenio?.adaptador ?? 'efi',
      chave: convenio?.chave ?? conta.pix_chave,
      tipo: convenio?.tipo ?? 'cobv',
      validade_dias: String(convenio?.validadeDias ?? 60),
      base: convenio?.base ?? null,
      token_url: convenio?.tokenUrl ?? null,
    });
  const [contagem, esperando, recusadas] =
    convenio === null
      ? [{}, [], []]
      : await Promise.all([
          dominio.psp.contagem(convenio.id),
          dominio.psp.esperando(convenio.id),
          dominio.psp.recusadas(convenio.id),
        ]);
  const fazer = (que: string, texto: string, classe = 'btn'): Html => botao({ para: `${aqui}/${que}`, texto, classe });
  return {
    titulo: `PSP de ${conta.nome}`,
    menu: 'cobranca',
    migalhas: [
      ['Cobrança', '/configuracoes/cobranca'],
      [conta.nome, `/configuracoes/cobranca/contas/${conta.id}`],
    ],
    corpo: html`<div class="largura-leitura">
      ${teste}
      ${
        convenio === null
          ? null
          : cartao(
              'Como está',
              html`${estadoDe(convenio, sessao.provedor.fusoHorario, contagem)}
                <div class="btn-list">
                  ${fazer('testar', 'Testar a conexão', 'btn btn-primary')} ${fazer('webhook', 'Registrar o webhook')}
                  ${fazer('tentar', 'Tentar de novo')}
                  ${convenio.ativo ? fazer('desativar', 'Parar de cobrar', 'btn btn-outline-danger') : fazer('ativar', 'Começar a cobrar')}
                  <a class="btn" href="${BASE}/configuracoes/cobranca/psp/certificado?conta=${conta.id}">Certificado</a>
                </div>`,
            )
      }
      ${cartao(
        convenio === null ? 'Convênio com o PSP' : 'Mudar o convênio',
        html`${
          convenio === null
            ? html`<p>
                  O PSP é o banco ou a empresa que recebe os PIX desta conta. Com ele, cada fatura nova tem a sua
                  própria cobrança, e o pagamento é conhecido na hora.
                </p>
                <p>
                  São quatro passos: salvar aqui o que o PSP deu; guardar o certificado; testar a conexão; e então
                  começar a cobrar. Até o último, nada muda nas faturas.
                </p>`
            : null
        }
        ${formulario({
          para: aqui,
          estado,
          rotulos: ROTULOS,
          enviar: 'Salvar',
          volta: `/configuracoes/cobranca/contas/${conta.id}`,
          corpo: html`${versaoAtual(estado, String(convenio?.versao ?? 0))} ${campos(estado, convenio === null)}`,
        })}`,
      )}
      ${convenio === null ? null : lista('Esperando', esperando, 'Nada espera')}
      ${convenio === null ? null : lista('Recusadas', recusadas, 'Nada foi recusado')}
    </div>`,
  };
}
