-- What a scripting language does: calls, tables, strings, closures, coroutines, errors, collection.
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print("fib", fib(32))

local primes = {}
for n = 2, 100000 do
  local is_prime = true
  for _, p in ipairs(primes) do
    if p * p > n then break end
    if n % p == 0 then is_prime = false break end
  end
  if is_prime then primes[#primes + 1] = n end
end
print("primes", #primes, primes[#primes])

local words, counts = {}, {}
local text = ("the quick brown fox jumps over the lazy dog and the cat "):rep(400)
for word in text:gmatch("%a+") do counts[word] = (counts[word] or 0) + 1 end
for word in pairs(counts) do words[#words + 1] = word end
table.sort(words, function(a, b)
  if counts[a] ~= counts[b] then return counts[a] > counts[b] end
  return a < b
end)
for i = 1, 5 do print(words[i], counts[words[i]]) end
print(text:gsub("(%a+) (%a+)", "%2 %1"):sub(1, 60))
print(("%5.3f|%-6s|%q|%x|%g"):format(math.pi, "ab", "a\nb", 255, 1e100))
print(string.pack("<i4d", 7, 1.5):byte(1, -1))

local generate = coroutine.wrap(function()
  for i = 1, 5 do coroutine.yield(i * i) end
  error({ code = 42 })
end)
local sum = 0
for _ = 1, 5 do sum = sum + generate() end
local ok, thrown = pcall(generate)
print("coroutine", sum, ok, thrown.code)

local Account = {}
Account.__index = Account
Account.__add = function(a, b) return setmetatable({ balance = a.balance + b.balance }, Account) end
Account.__tostring = function(a) return "account of " .. a.balance end
function Account:deposit(value) self.balance = self.balance + value return self end
local a, b = setmetatable({ balance = 10 }, Account), setmetatable({ balance = 5 }, Account)
print(tostring(a:deposit(7) + b))

local live = setmetatable({}, { __mode = "k" })
for i = 1, 20000 do live[{ i }] = ("x"):rep(i % 50) end
collectgarbage()
print("collected", next(live) == nil)
print("integers", 7 // -2, 7 % -2, 1 << 62, math.maxinteger + 1 == math.mininteger, 3 / 2)
print(select("#", table.unpack({ 1, nil, 3 }, 1, 3)), pcall(load, "return 1 +"))
print(xpcall(function() local t = nil; return t.x end, function(e) return "handled: " .. e end))
