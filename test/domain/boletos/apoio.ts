import { TERMINAL } from '../../../src/domain/actor.ts';
import type { BancoComCnab } from '../../../src/brazil/cnab/convenio.types.ts';
import { digitoDoNossoNumero } from '../../../src/brazil/cnab/nosso-numero.ts';
import type { Dominio, Escritas } from '../../../src/domain/dominio.ts';
import { convenioDe } from '../../brazil/cnab/_convenios.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Resposta } from './banco.ts';

export const AGORA = '2026-12-01T15:00:00.000Z';
export const HOJE = '2026-12-01';
const CNPJ = '11222333000181';
const ENDERECO = {
  logradouro: 'Rua das Acácias',
  numero: '10',
  bairro: 'Centro',
  cidade: 'Pouso Alegre',
  uf: 'MG',
  cep: '37550000',
};

interface Cena {
  readonly provedor: number;
  readonly banco: BancoComCnab;
  readonly convenio: number;
  readonly conta: number;
}

/** What a provider does with a bank, through the container of an API that is there once tests run. */
export function criarBanco(pegar: () => Api) {
  const containerDe = (n: number) => pegar().containers[n] ?? pegar().container;
  const dono = (tabela: string) => pegar().dono(tabela);
  const fabricar = () => criarFabrica(pegar().dono);

  const mudar = async <V>(
    provedor: number,
    fazer: (escritas: Escritas, dominio: Dominio) => Promise<V>,
    n = 0,
  ): Promise<V> => {
    const { provedores, changeTenant } = containerDe(n);
    return changeTenant(TERMINAL, await provedores.exigirPorId(provedor), async (dominio, escritas) =>
      fazer(escritas, dominio),
    );
  };

  /** A provider whose account has an agreement that issues. */
  async function cena(banco: BancoComCnab, cnpj = CNPJ): Promise<Cena> {
    const provedor = await fabricar().provedor({ cnpj });
    const conta = await dono('cobradores').where({ provedor_id: provedor, padrao: 1 }).first();
    const c = convenioDe(banco);
    const convenio = await mudar(provedor, async ({ convenios }) => {
      const id = await convenios.criar({
        cobrador_id: Number(conta.id),
        banco,
        nome: `Convênio ${banco}`,
        agencia: c.agencia,
        agencia_dv: c.agenciaDv,
        conta: c.conta,
        conta_dv: c.contaDv,
        carteira: c.carteira,
        variacao: c.variacao,
        codigo: c.convenio,
        codigo_transmissao: c.codigoTransmissao,
        posto: c.posto,
        baixa_em_dias: c.baixaEmDias,
      });
      await convenios.ativar(id);
      return id;
    });
    return { provedor, banco, convenio, conta: Number(conta.id) };
  }

  const clienteCompleto = async (provedor: number): Promise<number> => fabricar().cliente(provedor, ENDERECO);

  const faturar = async ({ provedor }: Pick<Cena, 'provedor'>, dados: object = {}): Promise<number> => {
    const cliente = await clienteCompleto(provedor);
    return mudar(provedor, async ({ faturas }) =>
      faturas.criar({
        cliente_id: cliente,
        descricao: 'Mensalidade',
        valor: '99.90',
        vencimento: '2026-12-10',
        tipo: 'boleto',
        ...dados,
      }),
    );
  };

  const gerar = async ({ provedor, convenio }: Cena, n = 0) =>
    mudar(provedor, async ({ remessas }) => remessas.gerar(convenio), n);

  const boletoDe = async (fatura: number) => dono('boletos').where('fatura_id', fatura).orderBy('id', 'desc').first();
  const faturaDe = async (id: number) => dono('faturas').where('id', id).first();

  const resposta = async (fatura: number, mais: Partial<Resposta> & Pick<Resposta, 'movimento'>): Promise<Resposta> => {
    const boleto = await boletoDe(fatura);
    const { banco } = await dono('convenios_bancarios').where('id', boleto.convenio_id).first();
    // Where the bank numbers, its answer says how.
    const numero: string = boleto.numero ?? String(boleto.id).padStart(10, '0');
    const dv = digitoDoNossoNumero(convenioDe(banco), numero);
    return { numero, dv, uso: boleto.id, valor: 9990, em: HOJE, ...mais };
  };

  const receber = async (provedor: number, texto: string, n = 0): Promise<{ id: number; repetido: boolean }> => {
    const { arquivosDeRetorno } = containerDe(n);
    const feito = await arquivosDeRetorno.receber(TERMINAL, provedor, Buffer.from(texto, 'latin1'), 'banco.ret');
    await arquivosDeRetorno.processar(TERMINAL, provedor, feito.id, { signal: new AbortController().signal });
    return feito;
  };

  const resultados = async (retorno: number): Promise<string[]> =>
    (await dono('retornos_linhas').where('retorno_id', retorno).orderBy('linha')).map(({ resultado }) =>
      String(resultado),
    );

  return {
    containerDe,
    mudar,
    cena,
    clienteCompleto,
    faturar,
    gerar,
    boletoDe,
    faturaDe,
    resposta,
    receber,
    resultados,
  };
}
