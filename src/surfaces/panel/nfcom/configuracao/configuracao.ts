import type { ConfiguracaoNfcom, EstadoDaFila } from '../../../../domain/nfcom/configuracao/configuracao.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { aviso, cartao, ficha } from '../../componentes/cartao.ts';
import { instante, quantos } from '../../componentes/escrita.ts';
import { area, caixa, entrada, escolha } from '../../formulario/campos.ts';
import type { DaEntrada } from '../../formulario/campos.ts';
import { preenchido, recusado, valorDe } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { botao, escondido, formulario } from '../../formulario/formulario.ts';
import { versaoAtual } from '../../formulario/versao.ts';
import type { Chamada, Tela } from '../../rota.ts';
import { avisosDasNotas } from '../avisos.ts';
import { ROTULOS, ROTULOS_DO_COMECO, camposDa } from './campos.ts';

export const CAMINHO = '/configuracoes/nfcom';

const REGIMES = [
  { valor: '1', texto: 'Simples Nacional' },
  { valor: '2', texto: 'Simples, acima do sublimite do ICMS' },
  { valor: '3', texto: 'Normal' },
];

/** What is asked at first, and afterwards all that is set. */
export async function telaDaConfiguracao(
  { dominio, sessao }: Chamada,
  { comeco, tudo }: { readonly comeco?: EstadoDoFormulario; readonly tudo?: EstadoDoFormulario },
): Promise<Tela> {
  const [configuracao, certificado, servicos, fila, avisos] = await Promise.all([
    dominio.configuracaoNfcom.buscar(),
    dominio.certificadoNfcom.buscar(),
    dominio.servicosNfcom.servicos(),
    dominio.configuracaoNfcom.fila(),
    avisosDasNotas(dominio, sessao),
  ]);
  const { fusoHorario } = sessao.provedor;
  const comecou = configuracao.existe && servicos.length > 0;
  return {
    titulo: 'Notas fiscais (NFCom)',
    menu: 'configuracao-nfcom',
    corpo: html`<div class="largura-leitura">
      ${avisos}
      ${comecou ? null : cartao('Para começar', formaDoComeco(comeco ?? preenchido(camposDoComeco(configuracao)), configuracao))}
      ${cartao(
        'Certificado A1',
        certificado === null
          ? html`<p>Com ele as notas são assinadas e enviadas. É um arquivo .pfx, com senha.</p>
              <a class="btn btn-primary" href="${BASE}${CAMINHO}/certificado">Guardar o certificado</a>`
          : html`${ficha([
                ['Titular', certificado.titular],
                ['Vale até', instante(fusoHorario, certificado.validoAte)],
                [
                  'Faltam',
                  certificado.diasRestantes < 0 ? 'Venceu' : quantos(certificado.diasRestantes, 'dia', 'dias'),
                ],
              ])} <a class="btn" href="${BASE}${CAMINHO}/certificado">Trocar</a>`,
      )}
      ${
        comecou
          ? html`${cartao(
              'O que as notas dizem',
              html`<p>
                  ${quantos(servicos.length, 'serviço', 'serviços')}, com os seus tributos, e como o preço se reparte
                  entre eles.
                </p>
                <div class="acoes">
                  <a class="btn" href="${BASE}${CAMINHO}/servicos">Serviços e tributos</a>
                  <a class="btn" href="${BASE}${CAMINHO}/composicao">Repartição do preço</a>
                  <a class="btn" href="${BASE}${CAMINHO}/municipios">Cidades</a>
                </div>`,
            )}
            ${cartao('Emissão', formaDeTudo(tudo ?? preenchido(camposDa(configuracao)), configuracao))}
            ${cartao('Autoridade', autoridade(configuracao, fila, fusoHorario))}
            ${cartao('Contingência', contingencia(configuracao, fusoHorario))}`
          : null
      }
    </div>`,
  };
}

const camposDoComeco = ({ emitente, crt }: ConfiguracaoNfcom) => ({
  inscricao_estadual: emitente.inscricaoEstadual,
  crt,
});

/** Three questions; the fourth is of who is not in the Simples, and the rest of who comes from another program. */
const formaDoComeco = (estado: EstadoDoFormulario, { versao }: ConfiguracaoNfcom): Html =>
  html`<p>Razão social, CNPJ e endereço vêm dos dados do provedor. O mais tem o valor de costume, e pode ser mudado.</p>
    ${formulario({
      para: `${CAMINHO}/comecar`,
      estado,
      rotulos: ROTULOS_DO_COMECO,
      enviar: 'Começar',
      corpo: html`${versaoAtual(estado, versao)}
        ${entrada(estado, { nome: 'inscricao_estadual', rotulo: ROTULOS_DO_COMECO.inscricao_estadual, obrigatorio: true, maximo: 20 })}
        ${escolha(estado, { nome: 'crt', rotulo: ROTULOS_DO_COMECO.crt, obrigatorio: true, opcoes: REGIMES })}
        ${entrada(estado, {
          nome: 'sva_percentual',
          rotulo: ROTULOS_DO_COMECO.sva_percentual,
          teclado: 'decimal',
          maximo: 8,
          dica: 'Serviço de valor adicionado, fora do ICMS. Vazio: tudo é internet. Pergunte ao contador.',
        })}
        <details ${valorDe(estado, 'crt') === '3' ? html`open` : null} class="mb-3">
          <summary>Regime normal</summary>
          ${entrada(estado, { nome: 'icms', rotulo: ROTULOS_DO_COMECO.icms, teclado: 'decimal', maximo: 8 })}
        </details>
        <details ${recusado(estado) ? html`open` : null} class="mb-3">
          <summary>Já emiti NFCom por outro programa</summary>
          <p class="form-hint mt-3">
            Um número só serve uma vez. Diga uma série que o outro programa não usa ou, na mesma série, o número que vem
            depois do último que ele usou.
          </p>
          <div class="grade">
            ${entrada(estado, { nome: 'serie', rotulo: ROTULOS_DO_COMECO.serie, teclado: 'numeric', maximo: 3, dica: 'Vazio: 1.' })}
            ${entrada(estado, {
              nome: 'proximo_numero',
              rotulo: ROTULOS_DO_COMECO.proximo_numero,
              teclado: 'numeric',
              maximo: 9,
              dica: 'Vazio: 1.',
            })}
          </div>
        </details>`,
    })}`;

function formaDeTudo(estado: EstadoDoFormulario, configuracao: ConfiguracaoNfcom): Html {
  const campo = (nome: keyof typeof ROTULOS, mais: Partial<DaEntrada> = {}): Html =>
    entrada(estado, { nome, rotulo: ROTULOS[nome], ...mais });
  const json = (nome: 'autorizador' | 'ibs_cbs' | 'cas_extras', dica: string): Html =>
    area(estado, { nome, rotulo: ROTULOS[nome], linhas: 3, dica });
  const outro = estado.recusa !== null && valorDe(estado, 'versao') !== configuracao.versao;
  return formulario({
    para: CAMINHO,
    estado,
    rotulos: ROTULOS,
    enviar: 'Salvar',
    corpo: html`${escondido('versao', configuracao.versao)}
      ${outro ? aviso('warning', 'Outra pessoa mudou isto enquanto você o via. Enviar de novo grava o que está abaixo.') : null}
      ${caixa(estado, {
        nome: 'automatica',
        rotulo: ROTULOS.automatica,
        dica: 'Vale para as faturas emitidas de hoje em diante. As de antes são pedidas em “Emitir notas”.',
      })}
      <div class="grade">
        ${escolha(estado, {
          nome: 'ambiente',
          rotulo: ROTULOS.ambiente,
          obrigatorio: true,
          opcoes: [
            { valor: 'homologacao', texto: 'Homologação: sem valor fiscal' },
            { valor: 'producao', texto: 'Produção' },
          ],
        })}
        ${escolha(estado, { nome: 'crt', rotulo: ROTULOS.crt, obrigatorio: true, opcoes: REGIMES })}
        ${campo('inscricao_estadual', { obrigatorio: true, maximo: 20 })}
      </div>
      ${area(estado, { nome: 'informacoes', rotulo: ROTULOS.informacoes, maximo: 2000, linhas: 2, dica: 'Com a palavra ANATEL, vai na área da ANATEL.' })}
      <details class="mb-3" ${recusado(estado) ? html`open` : null}>
        <summary>Avançado</summary>
        <div class="grade mt-3">
          ${campo('serie', { obrigatorio: true, teclado: 'numeric', maximo: 3 })}
          ${campo('proximo_numero', { obrigatorio: true, teclado: 'numeric', maximo: 9, dica: 'Só para a frente.' })}
          ${escolha(estado, {
            nome: 'sem_boleto',
            rotulo: ROTULOS.sem_boleto,
            obrigatorio: true,
            opcoes: [
              { valor: 'recusar', texto: 'Não emitir a nota, e dizer por quê' },
              { valor: 'linha_fixa', texto: 'Emitir com a linha abaixo' },
            ],
          })}
          ${campo('linha_fixa', { teclado: 'numeric', maximo: 48 })}
          ${campo('cancelamento_horas', { obrigatorio: true, teclado: 'numeric', maximo: 4 })}
          ${campo('simultaneas', { obrigatorio: true, teclado: 'numeric', maximo: 2, dica: 'De 1 a 16.' })}
          ${escolha(estado, {
            nome: 'esquema',
            rotulo: ROTULOS.esquema,
            obrigatorio: true,
            opcoes: ['NT2025.001', 'NT2026.002'].map((valor) => ({ valor, texto: valor })),
          })}
        </div>
        ${area(estado, { nome: 'autorizados', rotulo: ROTULOS.autorizados, linhas: 2, dica: 'Um por linha, até 10: o do contador, por exemplo.' })}
        <fieldset>
          <legend>Emitente</legend>
          <p class="form-hint">O que estiver como nos dados do provedor segue os dados do provedor.</p>
          <div class="grade">
            ${campo('cnpj', { maximo: 18 })} ${campo('razao_social', { maximo: 120 })}
            ${campo('nome_fantasia', { maximo: 120 })} ${campo('cep', { maximo: 9 })}
            ${campo('logradouro', { maximo: 150 })} ${campo('numero', { maximo: 20 })}
            ${campo('complemento', { maximo: 100 })} ${campo('bairro', { maximo: 100 })}
            ${campo('cidade', { maximo: 100 })} ${campo('uf', { maximo: 2 })}
            ${campo('municipio_codigo', { maximo: 7, teclado: 'numeric' })} ${campo('telefone', { maximo: 20 })}
            ${campo('email', { maximo: 254 })}
          </div>
        </fieldset>
        <fieldset>
          <legend>Responsável técnico</legend>
          <p class="form-hint">Algumas UFs o pedem. Vazio: não vai na nota.</p>
          <div class="grade">
            ${campo('responsavel.cnpj', { maximo: 18 })} ${campo('responsavel.contato', { maximo: 60 })}
            ${campo('responsavel.email', { maximo: 60 })} ${campo('responsavel.telefone', { maximo: 20 })}
            ${campo('responsavel.csrt.id', { maximo: 3, teclado: 'numeric', dica: 'O que a UF deu a quem fez o programa; só onde ela o pede.' })}
            ${campo('responsavel.csrt.codigo', { tipo: 'password', maximo: 36, dica: 'Guardado cifrado. Vazio: fica o que está.' })}
          </div>
        </fieldset>
        ${json('autorizador', 'Vazio: o da UF do provedor. Só se a autoridade mudar de endereço.')}
        ${json('ibs_cbs', 'Vazio: as do programa.')}
        ${json('cas_extras', `Vazio: fica como está (${configuracao.casExtras}).`)}
      </details>`,
  });
}

function autoridade({ autorizador, ambiente }: ConfiguracaoNfcom, fila: EstadoDaFila, fuso: string): Html {
  if (autorizador === null) return html`<p class="m-0">Diga a UF do provedor para saber quem autoriza.</p>`;
  const enderecos = autorizador[ambiente];
  return ficha([
    ['Autorizador', autorizador.nome],
    ['Última resposta de situação', fila.statusCodigo],
    ['Perguntada em', instante(fuso, fila.statusEm)],
    ['Envio parado até', instante(fuso, fila.paradaAte)],
    ['Por quê', fila.paradaAte === null ? null : (fila.motivo ?? fila.codigo)],
    ['Recepção', enderecos.recepcao],
    ['Consulta', enderecos.consulta],
    ['Situação', enderecos.status],
    ['Evento', enderecos.evento],
    ['QR code', enderecos.qr],
    ['Consulta pública', enderecos.publica],
  ]);
}

function contingencia({ contingencia: atual }: ConfiguracaoNfcom, fuso: string): Html {
  if (atual !== null) {
    return html`${ficha([
      ['Desde', instante(fuso, atual.desde)],
      ['Por quê', atual.porque],
    ])}
    ${botao({ para: `${CAMINHO}/contingencia/sair`, texto: 'Voltar à emissão normal', classe: 'btn btn-primary' })}`;
  }
  return html`<p>
      Em contingência as notas são emitidas sem resposta da autoridade e enviadas até o dia útil seguinte. Quase nunca é
      preciso: sem ela, as notas só esperam.
    </p>
    <a class="btn" href="${BASE}${CAMINHO}/contingencia">Entrar em contingência</a>`;
}
