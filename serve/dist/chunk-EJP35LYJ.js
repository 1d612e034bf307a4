import{t as m}from"./chunk-326GESFM.js";import{m as e}from"./chunk-HPAY5T4M.js";var n=null;function l(){return n??=new m(e),n}export{l as a};
