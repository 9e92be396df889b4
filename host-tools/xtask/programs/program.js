// What scripts do, in the ECMAScript 5 that both interpreters know.
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
print('fib', fib(27));

var sieve = [], primes = 0;
for (var i = 2; i < 60000; i++) {
  if (sieve[i]) continue;
  primes++;
  for (var j = i * 2; j < 60000; j += i) sieve[j] = true;
}
print('primes', primes);

function Point(x, y) { this.x = x; this.y = y; }
Point.prototype.plus = function (other) { return new Point(this.x + other.x, this.y + other.y); };
Point.prototype.toString = function () { return '(' + this.x + ', ' + this.y + ')'; };
var point = new Point(0, 0);
for (i = 0; i < 50000; i++) point = point.plus(new Point(i, -i));
print(point);

var text = '';
for (i = 0; i < 300; i++) text += 'word' + (i * i % 37) + ' ';
var counts = {};
text.replace(/\w+/g, function (word) { counts[word] = (counts[word] || 0) + 1; return ''; });
print(Object.keys(counts).sort().map(function (word) { return word + '=' + counts[word]; }).join());
print(JSON.stringify({ a: [1, 2.5, null, 'x\n"'], b: { c: true } }), JSON.parse('[1,{"k":2}]')[1].k);
print(/(\d+)-(\d+)/.exec('from 12-34 on').slice(1).join('/'), 'a,b;c'.split(/[,;]/).length);
print([5, 3, 9, 1].sort(function (a, b) { return a - b; }).reverse().reduce(function (a, b) {
  return a * 10 + b;
}));
print(0.1 + 0.2, 1 / 3, 1e21, -0, (255).toString(16), (1234.5678).toFixed(2), parseFloat('3.14x'));
print(1 << 31, -1 >>> 28, 5 % -3, Math.max(1, 7, 3), Math.floor(-1.5), isNaN(NaN));

function counter() { var n = 0; return function () { return ++n; }; }
var count = counter();
count(); count();
print('closure', count());
try {
  null.x;
} catch (error) {
  print(error instanceof TypeError);
} finally {
  print('finally');
}
try { throw { code: 42 }; } catch (error) { print('thrown', error.code); }
outer: for (i = 0; i < 5; i++) for (j = 0; j < 5; j++) if (i * j === 6) break outer;
print(i, j, new Date(0).toISOString(), decodeURIComponent('%C3%A9').length);
