import { faker } from '@faker-js/faker/locale/pt_BR';
import { digitosCnpj, digitosCpf } from '../src/brazil/pessoa/cpf-cnpj.ts';
import { DDDS } from '../src/brazil/pessoa/telefone.ts';
import type { LinhaEndereco } from './modelo.ts';
import type { CidadeDemo } from './perfis.ts';
import type { Sorteio } from './sorteio.ts';

// faker has few family names with accents, and those show whether accents survive everywhere.
const SOBRENOMES = (
  'Gonçalves Araújo Conceição Magalhães Assunção Simões Leão Guimarães Falcão Brandão Sá Antônio Teixeira Corrêa ' +
  'Sant’Ana Muniz Pacheco Galvão Damião Furtado Peçanha'
).split(' ');
const RAMOS = (
  'Padaria,Mercado,Farmácia,Auto Peças,Clínica Odontológica,Papelaria,Pousada,Açougue,Contabilidade,Academia,' +
  'Escola de Inglês,Material de Construção,Oficina Mecânica,Pizzaria'
).split(',');
const SUFIXOS = ['Ltda', 'Ltda ME', 'EIRELI', 'S/A', '& Cia Ltda'];
const DOMINIOS = ['example.com', 'example.net', 'example.org'];
const BAIRROS = ['Centro', 'Jardim América', 'São José', 'Santo Antônio', 'Vila Nova', 'Boa Esperança', 'São João'];
const COMPLEMENTOS = ['Casa', 'Fundos', 'Apto 101', 'Apto 302', 'Bloco B', 'Sala 4', 'Loja 2'];

/** People, documents, phones and addresses at random; documents and phones are unique. */
export interface Pessoas {
  nomePf(): string;
  nomePj(): { nome: string; fantasia: string | null };
  cpf(): string;
  /** `letras`: the CNPJ with letters, in use since July 2026. */
  cnpj(letras: boolean): string;
  telefone(ddd: string): string;
  email(nome: string): string;
  endereco(cidade: CidadeDemo): LinhaEndereco;
}

export function createPessoas(sorteio: Sorteio, semente: number): Pessoas {
  faker.seed(semente);
  const usados = new Set<string>();
  /** Draws until one comes that was not used yet. */
  function inedito(sortear: () => string): string {
    let texto = sortear();
    while (usados.has(texto)) texto = sortear();
    usados.add(texto);
    return texto;
  }
  const sobrenome = (): string => (sorteio.chance(0.5) ? sorteio.escolher(SOBRENOMES) : faker.person.lastName());

  return {
    nomePf() {
      const meio = sorteio.chance(0.6) ? ` ${sorteio.chance(0.25) ? 'de ' : ''}${sobrenome()}` : '';
      return `${faker.person.firstName()}${meio} ${sobrenome()}${sorteio.chance(0.05) ? ' Júnior' : ''}`;
    },
    nomePj() {
      const fantasia = `${sorteio.escolher(RAMOS)} ${sobrenome()}`;
      const nome = `${fantasia} ${sorteio.escolher(SUFIXOS)}`;
      return { nome, fantasia: sorteio.chance(0.8) ? fantasia : null };
    },
    cpf() {
      const base = inedito(() => sorteio.digitos(9));
      return base + digitosCpf(base);
    },
    cnpj(letras) {
      const alfabeto = letras ? '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ' : '0123456789';
      const base = inedito(() => {
        const raiz = Array.from({ length: 8 }, () => alfabeto.charAt(sorteio.inteiro(0, alfabeto.length - 1))).join('');
        return `${raiz}0001`;
      });
      return base + digitosCnpj(base);
    },
    telefone(ddd) {
      const area = sorteio.chance(0.93) ? ddd : sorteio.escolher(DDDS);
      const numero = inedito(() =>
        sorteio.chance(0.85)
          ? `9${sorteio.inteiro(8, 9)}${sorteio.digitos(7)}`
          : `${sorteio.inteiro(2, 5)}${sorteio.digitos(7)}`,
      );
      return `${sorteio.chance(0.03) ? '55' : ''}${area}${numero}`;
    },
    email: (nome) =>
      `${semAcentos(nome).split(' ').slice(0, 2).join('.')}${sorteio.inteiro(1, 999)}@${sorteio.escolher(DOMINIOS)}`,
    endereco(cidade) {
      return {
        cep: sorteio.chance(0.95) ? cidade.cep + sorteio.digitos(3) : null,
        logradouro: faker.location.street(),
        numero: sorteio.chance(0.92) ? String(sorteio.inteiro(1, 2400)) : null,
        complemento: sorteio.chance(0.25) ? sorteio.escolher(COMPLEMENTOS) : null,
        bairro: sorteio.chance(0.95) ? sorteio.escolher(BAIRROS) : null,
        cidade: cidade.nome,
        uf: cidade.uf,
      };
    },
  };
}

/** Lower case without accents, only letters, digits and single spaces: for e-mails, logins and short names. */
export function semAcentos(texto: string): string {
  const base = texto.normalize('NFD').toLowerCase();
  return base
    .replace(/[^a-z0-9 ]/g, '')
    .replace(/ +/g, ' ')
    .trim();
}
